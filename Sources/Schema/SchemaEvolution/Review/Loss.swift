package import SchemaModel

/// A loss of data in rows on devices: by a step, or by an answer in the manifest that allows the loss.
package struct Loss: Sendable, Equatable {
  package var version: VersionNumber
  /// The element that loses data, with its old name if it was removed.
  package var element: ElementPath
  /// The id of the change's kind, or of the rule that found the loss.
  package var rule: String
  package var words: String
  /// The manifest's answer without its reasons. A different answer is a different loss.
  package var answer: String
  package var location: SourceLocation?
  /// The index of the change that causes the loss, among the step's changes; `nil` if no single change causes it.
  package var change: Int?

  package init(
    version: VersionNumber, element: ElementPath, rule: String, words: String, answer: String = "",
    location: SourceLocation?, change: Int? = nil
  ) {
    self.version = version
    self.element = element
    self.rule = rule
    self.words = words
    self.answer = answer
    self.location = location
    self.change = change
  }
}

extension Evolution {
  /// The losses of shipped data in all steps, in version order. Acknowledged and accepted losses are included.
  ///
  /// - Parameter shipped: The versions that devices may have.
  package func losses(ofShipped shipped: Set<VersionNumber>) -> [Loss] {
    guard let first = history.map(\.number).first(where: shipped.contains) else { return [] }
    let graph = graph
    return steps.indices.filter { history[$0].number >= first }.flatMap { index -> [Loss] in
      let last = history[...index].lastIndex { shipped.contains($0.number) } ?? index
      return StepLosses(step: steps[index]).losses().filter { loss in
        // An element added after the last shipped version is on no device, unless it continues older elements.
        let origins = steps[index].edges(into: loss.element).map(\.old)
        return !(origins.isEmpty ? [loss.element] : origins).allSatisfy {
          graph.isNew($0, at: index, after: last)
        }
      }
    }
  }
}

/// Finds the losses of one step.
private struct StepLosses {
  let step: VersionStep
  private var old: SchemaVersion { step.old }
  private var new: SchemaVersion { step.new }
  private var pairing: StepPairing { step.pairing }

  func losses() -> [Loss] {
    let drops = Dictionary(new.drops, keyedBy: \.element.value)
    let conversions = conversions()
    let converted = Set(conversions.map(\.element))
    return step.changes.indices.compactMap { place -> Loss? in
      let change = step.changes[place]
      guard change.isLoss, !converted.contains(change.element), !goesWithModel(change) else {
        return nil
      }
      return Loss(
        version: new.number, element: change.element, rule: change.ruleID,
        words: "\(change.classification.title): \(change.reason)",
        answer: answer(change, drops[change.element]),
        location: drops[change.element]?.element.location ?? change.location, change: place)
    } + conversions + unlinkedRows()
  }

  private func unlinkedRows() -> [Loss] {
    pairing.partLinks.pairs.filter(\.isLost).map { pair in
      Loss(
        version: new.number, element: ElementPath(pair.part.name), rule: Rule.unlinkedRows.id,
        words:
          "'\(pair.one.name)' and '\(pair.part.name)' from one row of '\(pair.source.name)': nothing shows afterwards "
          + "which rows belonged together",
        location: pair.part.location)
    }
  }

  /// Whether a relationship is removed together with its destination, whose removal is a loss of its own.
  private func goesWithModel(_ change: SchemaChange) -> Bool {
    guard change.kind == .relationshipRemoved, let name = change.element.member,
      let was = pairing.oldModels[change.element.owner]?.property(named: name)?.relationship
    else { return false }
    return step.changes.contains {
      $0.kind == .modelRemoved && $0.element.owner == was.destination.value
    }
  }

  private func answer(_ change: SchemaChange, _ drop: Drop?) -> String {
    let model = pairing.newModels[change.element.owner]
    let dedupe =
      change.constraint.isEmpty
      ? change.element.member.flatMap { model?.property(named: $0)?.attribute?.dedupe }
      : model?.uniques.first { $0.names == change.constraint }?.dedupe
    // The choice among duplicates is added below, as a manifest writes it.
    let detail =
      dedupe.map {
        change.detail.replacing(": \($0.words)", with: "").replacing($0.words, with: "")
      } ?? change.detail
    var parts = detail.isEmpty ? [] : [detail]
    if let name = drop?.replacedBy { parts.append("replacedBy: \(name.value)") }
    let names = drop?.notCarriedTo.map(\.value) ?? []
    if !names.isEmpty { parts.append("notCarriedTo: \(names.joined(separator: ", "))") }
    if let dedupe, change.effect == .dropped {
      parts.append("dedupe: \(ManifestEdit.text(dedupe))")
    }
    return parts.joined(separator: "; ")
  }

  // MARK: Conversions

  /// Conversions that may lose values, because nothing else keeps the old values, and the conversion may not keep each
  /// of them.
  private func conversions() -> [Loss] {
    // Most steps have no conversions, and a version has many models.
    guard
      pairing.changed.contains(where: { $0.properties.contains { $0.migration.convert != nil } })
    else { return [] }
    let kept = keptProperties()
    return pairing.changed.flatMap { model in
      model.properties.compactMap { property -> Loss? in
        let migration = property.migration
        guard let convert = migration.convert else { return nil }
        let sources = pairing.pairs(of: model).flatMap { pair in
          migration.from.compactMap { name in
            pair.old.property(named: name.value).map { (model: pair.old.name, property: $0) }
          }
        }
        let lost = sources.filter {
          !pairing.isUnchanged($0.model) && $0.property.isStored
            && !kept.contains(ElementPath($0.model, $0.property.name))
        }
        guard !lost.isEmpty else { return nil }
        if sources.count == 1, keeps(convert.value, sources[0].property) { return nil }
        let element = ElementPath(model.name, property.name)
        let names = lost.map { "'\($0.model).\($0.property.name)'" }
        let text = ManifestEdit.text(convert.value)
        return Loss(
          version: new.number, element: element, rule: ChangeKind.attributeConverted.rawValue,
          words:
            "convert \(names.enumeration): of \(old.number.name)'s values only the conversion's results are left",
          answer: "from: \(migration.from.map(\.value).joined(separator: ", ")); convert: \(text)",
          location: property.location,
          change: step.changes.firstIndex { $0.element == element && $0.effect == .converted })
      }
    }
  }

  private func keptProperties() -> Set<ElementPath> {
    var kept: Set<ElementPath> = []
    for model in pairing.changed {
      for pair in pairing.pairs(of: model) {
        for (was, _) in pair.properties.continued {
          kept.insert(ElementPath(pair.old.name, was.name))
        }
      }
    }
    return kept
  }

  /// Whether a conversion keeps each value, unchanged or as another type that can represent all values.
  private func keeps(_ conversion: Conversion, _ source: Property) -> Bool {
    guard case .expression(let expression) = conversion else { return false }
    var text = expression.text
    // The fallback replaces nil, which is not a value.
    if source.type.isOptional, let fallback = text.firstRange(of: " ?? "),
      !text[fallback.upperBound...].contains("$")
    {
      text = String(text[..<fallback.lowerBound])
    }
    if text == "$0" { return true }
    text = text.replacing("$0?.", with: "$0.")
    let type = source.type.unwrapped
    switch type.description {
    case "Int", "Int8", "Int16", "Int32", "Int64", "Bool": return text == "String($0)"
    case "UUID": return text == "$0.uuidString"
    case "URL": return text == "$0.absoluteString"
    default:
      if case .enumeration(_?, _)? = old.type(named: type.description)?.kind {
        return text == "$0.rawValue"
      }
      return false
    }
  }
}

extension SchemaChange {
  /// Whether a change loses values by default, because they are dropped, at risk, or replaced.
  fileprivate var isLoss: Bool {
    switch effect {
    case .dropped, .atRisk: true
    case .converted:
      classification.isAcceptable
        || kind == .enumCaseReplaced
    case .kept, .defaulted: kind == .inverseChanged
    }
  }
}
