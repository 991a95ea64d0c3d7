package import SchemaModel

/// A model through the history, whatever it was called.
package struct ModelTrack: Sendable {
  /// For each version of the history, the model as it was; nil where there is none.
  package fileprivate(set) var forms: [Model?]
  /// In the order in which they came.
  package fileprivate(set) var properties: [PropertyTrack] = []
  /// The tracks of the models that its first rows are made of, by their places in the list.
  package fileprivate(set) var origins: [Int] = []
}

/// A property through the history, whatever it was called. One that is made of several continues the first of them.
package struct PropertyTrack: Sendable {
  /// For each version of the history, the property as it was; nil where there is none.
  package fileprivate(set) var forms: [Property?]
}

extension Evolution {
  /// Every model and property that there ever was, each once.
  package var tracks: [ModelTrack] {
    var tracks: [ModelTrack] = []
    // By the names of the version before: a model's track, and the places of its properties.
    var known: [String: (track: Int, properties: [String: Int])] = [:]
    for (index, evolved) in versions.enumerated() {
      let (version, pairing) = (evolved.declared, evolved.step?.pairing)
      var next: [String: (track: Int, properties: [String: Int])] = [:]
      var continued: Set<Int> = []
      for model in version.models {
        let before = pairing?.predecessor(of: model).flatMap { known[$0.name] }
        var track = tracks.count
        var names: [String: String] = [:]
        if let pairing, let before, continued.insert(before.track).inserted {
          track = before.track
          names = pairing.formerNames(of: model)
        } else {
          tracks.append(ModelTrack(forms: Array(repeating: nil, count: history.count)))
          tracks[track].origins =
            pairing?.sources(of: model).compactMap { known[$0.name]?.track } ?? []
        }
        tracks[track].forms[index] = model
        next[model.name] = (
          track, tracks[track].add(model.properties, at: index, names, before?.properties ?? [:])
        )
      }
      known = next
    }
    return tracks
  }
}

extension ModelTrack {
  /// Adds the properties of a version.
  ///
  /// - Parameters:
  ///   - names: What they were called in the version before.
  ///   - known: The places of the properties of the version before.
  /// - Returns: The places of the properties.
  fileprivate mutating func add(
    _ added: [Property], at index: Int, _ names: [String: String], _ known: [String: Int]
  ) -> [String: Int] {
    var places: [String: Int] = [:]
    for property in added {
      var place = properties.count
      if let former = names[property.name], let known = known[former] {
        place = known
      } else {
        properties.append(PropertyTrack(forms: Array(repeating: nil, count: forms.count)))
      }
      properties[place].forms[index] = property
      places[property.name] = place
    }
    return places
  }
}

extension StepPairing {
  /// The former names of a model's properties. One made of others takes the first of them that continues nowhere else;
  /// each name is used once.
  fileprivate func formerNames(of model: Model) -> [String: String] {
    if isUnchanged(model.name) {
      return Dictionary(uniqueKeysWithValues: model.properties.map { ($0.name, $0.name) })
    }
    guard let pair = pair(of: model)?.properties else { return [:] }
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for (old, new) in pair.continued where taken.insert(old.name).inserted {
      names[new.name] = old.name
    }
    for (sources, new) in pair.converted {
      if let source = sources.first(where: { !taken.contains($0.name) }) {
        taken.insert(source.name)
        names[new.name] = source.name
      }
    }
    return names
  }
}
