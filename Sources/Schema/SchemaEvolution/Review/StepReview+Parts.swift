internal import SchemaModel

/// Reviews whether rows made from one row stay linked.
extension StepReview {
  func unlinkedParts(_ model: Model) -> [Diagnostic] {
    guard !model.sources.isEmpty else { return [] }
    return pairing.partLinks.pairs.filter { $0.part.name == model.name && $0.isLost }.map { pair in
      isShipped ? unlinked(pair, asRecord(words(pair)), .warning) : unlinked(pair, words(pair))
    }
  }

  private func words(_ pair: PartLinks.Pair) -> String {
    let (one, part) = (pair.one.name, pair.part.name)
    guard let first = pair.candidates.first?.first else {
      return
        "each row of '\(pair.source.name)' makes a row of '\(part)', but no new relationship links it with '\(one)': "
        + "which rows belonged together is lost"
    }
    let names = pair.candidates.compactMap { $0.first }.map { "'\($0.element)'" }
    return
      "'\(first.element)' and \(names.dropFirst().joined(separator: " and ")) both link '\(one)' and "
      + "'\(part)': schemagen cannot tell which links the rows made from one row of '\(pair.source.name)'"
  }

  private func unlinked(
    _ pair: PartLinks.Pair, _ message: String, _ severity: Diagnostic.Severity? = nil
  ) -> Diagnostic {
    let (one, part) = (pair.one.name, pair.part.name)
    let ends = pair.candidates.flatMap { $0 }.filter { $0.model == pair.source.name }
    var help: [String]
    if !pair.candidates.isEmpty {
      help = [
        "keep one of the relationships in this version (the step sets it), and add the rest in the next"
      ]
      if let end = ends.first(where: { !$0.isToMany }) ?? ends.first,
        let property = pairing.newModels[end.model]?.property(named: end.name)
      {
        let row = "row.\(RowTransfer.link(to: end.destination))"
        help.append(
          answers.instruction(
            "or say which relationship links the new rows, with a function that returns \(end.isToMany ? "[\(row)]" : row)",
            answers.property(property, [("fill", "{ function: \(end.name) }")])))
      }
    } else {
      let name = part.prefix(1).lowercased() + part.dropFirst()
      var property = Property(
        name: name,
        kind: .relationship(
          Relationship(destination: Located(part), cardinality: .optionalOne)))
      property.mapping.form = .omit
      help = [
        "add a relationship, which the step sets by itself: "
          + (answers.isInClass
            ? "var \(name): \(part)? in the class '\(one)'"
            : "\(ManifestEdit.property(property)) at '\(one)'")
      ]
    }
    help.append(
      answers.instruction(
        "if the links do not matter", answers.acceptance(Rule.unlinkedRows.id, ElementPath(part))))
    return Diagnostic(
      .unlinkedRows, message, element: ElementPath(part),
      at: pair.part.sources.first { $0.value == pair.source.name }?.location ?? pair.part.location,
      help: help, severity: severity)
  }
}
