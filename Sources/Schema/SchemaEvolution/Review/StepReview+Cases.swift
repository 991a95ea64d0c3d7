internal import SchemaModel

/// Checks renamed and replaced cases of enums: whether their keys have an effect, and whether all rows can follow.
extension StepReview {
  func cases() -> [Diagnostic] {
    new.types.flatMap { type -> [Diagnostic] in
      guard case .enumeration(let rawType, let cases) = type.kind else { return [] }
      let renames = renames(of: cases, in: type)
      guard renames.isEmpty else { return renames }
      return rawType == nil
        ? plainCases(type, cases) : missingRawValues(cases, in: type) + carriedCases(type, cases)
    } + replacements()
  }

  // MARK: Names

  private func renames(of cases: [EnumCase], in type: ValueTypeDeclaration) -> [Diagnostic] {
    var first: [String: EnumCase] = [:]
    return cases.compactMap { enumCase in
      guard let source = enumCase.renamedFrom else { return nil }
      let element = ElementPath(type.name, enumCase.name)
      guard case .enumeration(_, let olds)? = old.type(named: type.name)?.kind else {
        return unused(
          "renamedFrom", "\(oldName) has no enum '\(type.name)'", element, source.location)
      }
      guard let was = olds.first(where: { $0.name == source.value }) else {
        return Diagnostic(
          .unknownSource, "\(oldName)'s '\(type.name)' has no case '\(source.value)'",
          element: element, at: source.location,
          help: Suggestion.help(for: source.value, among: olds.map(\.name)))
      }
      if let other = first.updateValue(enumCase, forKey: source.value) {
        return Diagnostic(
          .reusedName, "'\(other.name)' is already renamed from '\(source.value)'",
          element: element, at: source.location,
          help: [
            "remove one of the two renames: rows that hold '\(source.value)' can take only one case"
          ])
      }
      if source.value == enumCase.name {
        return was.storedText == enumCase.storedText
          ? unused("renamedFrom", "the old and the new name are the same", element, source.location)
          : nil
      }
      if cases.contains(where: { $0.name == source.value && $0.renamedFrom == nil }) {
        return unused(
          "renamedFrom", "'\(source.value)' still exists in \(new.number.name)", element,
          source.location)
      }
      return nil
    }
  }

  /// Reports renamed cases without a raw value in the manifest, if the app declares the enum. Such a case would get its
  /// name as the raw value in every row, whatever raw value it has in code.
  private func missingRawValues(
    _ cases: [EnumCase], in type: ValueTypeDeclaration
  ) -> [Diagnostic] {
    guard type.isOwn, case .enumeration(_, let olds)? = old.type(named: type.name)?.kind else {
      return []
    }
    return cases.compactMap { one in
      guard !one.statesRawValue, let source = one.renamedFrom,
        let was = olds.first(where: { $0.name == source.value }),
        was.storedText != one.storedText
      else { return nil }
      return Diagnostic(
        .missingRawValue,
        "the app declares '\(type.name)', and rows hold \(was.storedText) for '\(source.value)': "
          + "give '\(one.name)' the raw value that the rows should hold",
        element: ElementPath(type.name, one.name), at: one.location ?? type.location,
        help: [
          "if '\(one.name)' still has the raw value of '\(source.value)' in the app's code: "
            + answers.renamedCase(one.name, from: was),
          "if the rows should get another raw value: "
            + answers.renamedCase(one.name, from: was, rawValue: one.storedText),
        ])
    }
  }

  private func replacements() -> [Diagnostic] {
    new.drops.compactMap { drop in
      guard let replacement = drop.replacedBy else { return nil }
      let element = drop.element.value
      guard case .enumeration(_, let olds)? = old.type(named: element.owner)?.kind,
        olds.contains(where: { $0.name == element.member })
      else {
        return unused(
          "replacedBy", "'\(element)' is not a case of an enum", element, replacement.location)
      }
      guard case .enumeration(_, let cases)? = new.type(named: element.owner)?.kind,
        !cases.contains(where: { $0.name == replacement.value })
      else { return nil }
      return Diagnostic(
        .unknownSource,
        "\(new.number.name)'s '\(element.owner)' has no case '\(replacement.value)'",
        element: element, at: replacement.location,
        help: Suggestion.help(for: replacement.value, among: cases.map(\.name)))
    }
  }

  // MARK: Rows

  private func carriedCases(_ type: ValueTypeDeclaration, _ cases: [EnumCase]) -> [Diagnostic] {
    CasePairing(type.name, from: old, to: new).carried.flatMap { successor -> [Diagnostic] in
      if let other = cases.first(where: { $0.storedText == successor.old.storedText }) {
        let element = ElementPath(type.name, successor.new.name)
        return [
          notCarried(
            "'\(other.name)' has the raw value \(successor.old.storedText), which old rows of "
              + "'\(successor.old.name)' hold: if the app is killed during the migration, the rows of the two cases "
              + "look the same",
            element, at: other.location ?? type.location,
            help: ["give '\(other.name)' a raw value that no case had"])
        ]
      }
      return obstacles(to: successor, of: type)
    }
  }

  /// Reports cases that are columns. The engine drops the column with the case, before code of the step can read it.
  private func plainCases(_ type: ValueTypeDeclaration, _ cases: [EnumCase]) -> [Diagnostic] {
    let replaced = new.drops.filter { $0.element.value.owner == type.name && $0.replacedBy != nil }
    let places =
      cases.compactMap { one in
        one.renamedFrom.map { (ElementPath(type.name, one.name), $0.location) }
      } + replaced.map { ($0.element.value, $0.replacedBy?.location) }
    guard !places.isEmpty, let (model, property) = holders(of: type.name).first else { return [] }
    return places.map { element, location in
      notCarried(
        "\(oldName)'s '\(model.name).\(property.name)' keeps each case of '\(type.name)', which has no raw values, "
          + "in a separate column: the column is dropped with the case",
        element, at: location,
        help: [
          "list the case under 'drops:', and convert the values: "
            + converting(property, "…")
        ])
    }
  }

  private func obstacles(
    to successor: CasePairing.Link, of type: ValueTypeDeclaration
  ) -> [Diagnostic] {
    let isReplaced = successor.kind == .converted
    let element = ElementPath(type.name, isReplaced ? successor.old.name : successor.new.name)
    let place = isReplaced ? new.replacement(of: element)?.location : successor.new.location
    return holders(of: type.name).compactMap { model, property in
      guard let attribute = property.attribute else { return nil }
      let holder = "\(oldName)'s '\(model.name).\(property.name)'"
      guard attribute.type.unwrapped == .named(type.name) else {
        return notCarried(
          "\(holder) holds '\(type.name)' inside \(attribute.valueType.unwrapped), where no migration finds "
            + "'\(successor.old.name)'",
          element, at: place,
          help: [
            "keep '\(successor.old.name)', and give its values another case: "
              + converting(property, "…")
          ])
      }
      let isKey =
        attribute.options.contains(.unique)
        || model.uniques.contains { $0.names.contains(property.name) }
      guard isKey, isReplaced else { return nil }
      return notCarried(
        "\(holder) is part of a unique key: rows with '\(successor.old.name)' would equal other rows",
        element, at: place,
        help: [
          "remove the key in \(new.number.name), and add it again with 'dedupe:' in the next version"
        ])
    }
  }

  /// The older version's attributes that store a type, directly or inside other values.
  private func holders(of type: String) -> [(model: Model, property: Property)] {
    let types = Dictionary(old.types, keyedBy: \.name)
    return old.models.sorted { $0.name < $1.name }.flatMap { model in
      model.properties.filter { property in
        guard property.isStored, let attribute = property.attribute else { return false }
        return attribute.valueType.names.contains { types.reached(from: $0).contains(type) }
      }.map { (model, $0) }
    }
  }

  private func notCarried(
    _ message: String, _ element: ElementPath, at location: SourceLocation?, help: [String]
  ) -> Diagnostic {
    Diagnostic(
      .caseNotCarried, message, element: element, at: location ?? new.location, help: help)
  }
}
