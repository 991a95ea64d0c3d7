package import SchemaModel

/// A model through the history, under all its names.
package struct ModelTrack: Sendable {
  /// The model in each version of the history; `nil` in versions without it.
  package fileprivate(set) var forms: [Model?]
  package fileprivate(set) var properties: [PropertyTrack] = []
}

/// A property through the history, under all its names. A property made from several properties continues the first of
/// them that no other property continues.
package struct PropertyTrack: Sendable {
  package fileprivate(set) var forms: [Property?]
}

extension Evolution {
  package var tracks: [ModelTrack] {
    var tracks: [ModelTrack] = []
    // The indices of the previous version's models in `tracks`, and of its properties in their model's track.
    var known: [ElementPath: Int] = [:]
    for (index, version) in versions.enumerated() {
      var next: [ElementPath: Int] = [:]
      var taken: Set<ElementPath> = []
      for model in version.declared.models {
        let path = ElementPath(model.name)
        let edges = version.step?.pairing.edges(into: model.name) ?? []
        let former = edges.first { $0.new == path && $0.kind != .converted }?.old
        var places: [String: Int] = [:]
        if let former, let track = known[former], taken.insert(former).inserted {
          next[path] = track
          for isMade in [false, true] {
            for edge in edges where (edge.kind == .converted) == isMade {
              guard let name = edge.new.member, places[name] == nil,
                let place = known[edge.old], taken.insert(edge.old).inserted
              else { continue }
              places[name] = place
            }
          }
        } else {
          next[path] = tracks.count
          tracks.append(ModelTrack(forms: Array(repeating: nil, count: versions.count)))
        }
        let track = next[path, default: 0]
        tracks[track].forms[index] = model
        for property in model.properties {
          let place = places[property.name] ?? tracks[track].properties.count
          if place == tracks[track].properties.count {
            tracks[track].properties.append(
              PropertyTrack(forms: tracks[track].forms.map { _ in nil }))
          }
          tracks[track].properties[place].forms[index] = property
          next[path.appending(property.name)] = place
        }
      }
      known = next
    }
    return tracks
  }
}
