internal import SchemaModel

extension Classifier {
  func typeChanges(_ difference: Difference) -> [SchemaChange] {
    func place(_ name: String) -> SourceLocation? {
      pairing.new.type(named: name)?.location ?? pairing.new.location
    }
    switch difference {
    case .typeAdded(let type): return [change(.valueTypeAdded, type.name, at: type.location)]
    case .typeRemoved(let type):
      return [change(.valueTypeRemoved, type.name, at: pairing.new.location)]
    case .typeReplaced(let from, let to):
      let holders = holders(of: to.name)
      // A type that is only in JSON has no digest of columns.
      let isInJSON =
        holders.areJSON && !holders.areColumns && !to.hasOtherColumns(than: from)
      return [change(isInJSON ? .encodedTypeChanged : .valueTypeChanged, to.name, at: to.location)]
    case .typeDescription(let from, let to):
      let kind: ChangeKind =
        to.isCoded(as: from) ? .documentationChanged : .valueCodingChanged
      return [change(kind, to.name, at: to.location)]
    case .caseAdded(let type, let new):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseAdded : .enumCaseAdded
      return [change(kind, ElementPath(type, new.name), at: new.location)]
    case .caseRemoved(let type, let old):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseRemoved : .enumCaseRemoved
      return [change(kind, ElementPath(type, old.name), at: place(type))]
    case .caseRenamed(let type, let from, let to):
      return renaming(from, to, of: type)
    case .caseReplaced(let type, let old, let by):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseRemoved : .enumCaseReplaced
      return [change(kind, ElementPath(type, old.name), "→ \(by.name)", at: by.location)]
    case .rawValue(let type, let from, let to):
      let detail = "\(from.storedText) → \(to.storedText)"
      return [change(.rawValueChanged, ElementPath(type, to.name), detail, at: to.location)]
    // A person has confirmed what the type's code reads from old JSON.
    case .fieldAdded(let type, _) where isVouched(type): return []
    case .fieldRemoved(let type, _) where isVouched(type): return []
    case .fieldType(let type, _, _) where isVouched(type): return []
    case .fieldAdded(let type, let new):
      let kind = fieldAdditionKind(new, of: type)
      return [change(kind, ElementPath(type, new.name), "\(new.type)", at: new.location)]
    case .fieldRemoved(let type, let old):
      let holders = holders(of: type)
      // If no continuing property stores the type, nothing loses the field: conversions use whole values, and the
      // removal of a property is a finding of its own.
      guard holders.areColumns || holders.areJSON else {
        return [change(.valueTypeRemoved, ElementPath(type, old.name), at: place(type))]
      }
      return [
        change(.structFieldRemoved, ElementPath(type, old.name), "\(old.type)", at: place(type))
      ]
    case .fieldType(let type, let from, let to):
      let detail = "\(from.type) → \(to.type)"
      return fieldChangeKinds(from, to, of: type).map { kind in
        let cases = kind == .rawValueChanged ? misreadCases(from.type, to.type) : []
        return change(
          kind, ElementPath(type, to.name), ([detail] + cases.prefix(3)).joined(separator: "; "),
          at: to.location)
      }
    case .fieldDefault(let type, _, let to):
      return [change(.structFieldDefaultChanged, ElementPath(type, to.name), at: to.location)]
    default: return []
    }
  }

  func renaming(_ from: EnumCase, _ to: EnumCase, of type: String) -> [SchemaChange] {
    if hasCaseColumns(type) {
      return [
        change(.plainEnumCaseRemoved, ElementPath(type, from.name), at: to.location),
        change(.plainEnumCaseAdded, ElementPath(type, to.name), at: to.location),
      ]
    }
    let names = from.name == to.name ? "" : "\(from.name) → \(to.name)"
    guard from.storedText != to.storedText else {
      return [change(.enumCaseRenamed, ElementPath(type, to.name), names, at: to.location)]
    }
    let detail = "\(from.storedText) → \(to.storedText)"
    return [change(.enumCaseCarried, ElementPath(type, to.name), detail, at: to.location)]
  }

  private func hasCaseColumns(_ type: String) -> Bool {
    guard case .enumeration(nil, _)? = pairing.new.type(named: type)?.kind else { return false }
    return holders(of: type).areColumns
  }

  /// Whether the manifest states that the type's new code reads values that are stored only as JSON.
  private func isVouched(_ type: String) -> Bool {
    guard let new = pairing.new.type(named: type), new.coding != nil else { return false }
    return pairing.old.type(named: type).map { !new.isCoded(as: $0) } ?? true
      && !holders(of: type).areColumns
  }

  private func fieldAdditionKind(_ field: StructField, of type: String) -> ChangeKind {
    let form = newStorage.form(of: field.type)
    if field.type.isOptional || form == .structure(.optionalFields) {
      return .structFieldAddedOptional
    }
    let holders = holders(of: type)
    guard holders.areColumns else {
      return holders.areJSON ? .encodedTypeChanged : .valueTypeAdded
    }
    return holders.areMandatory && !form.isOptionalAnyway ? .structFieldAdded : .structFieldNullTrap
  }

  private func fieldChangeKinds(
    _ old: StructField, _ new: StructField, of type: String
  ) -> [ChangeKind] {
    let holders = holders(of: type)
    guard holders.areColumns else {
      return [holders.areJSON ? .encodedTypeChanged : .valueTypeAdded]
    }
    let (was, now) = (oldStorage.form(of: old.type), newStorage.form(of: new.type))
    var kinds: [ChangeKind] = []
    if old.type.unwrapped != new.type.unwrapped {
      switch (was, now) {
      case (.plain(let before), .plain(let after)) where before == after:
        kinds.append(
          NumberType.holds(new.type, all: old.type) ? .typeRespelled : .numberRangeChanged)
      case _
      where was.hasLeaves && now.hasLeaves
        && oldStorage.storage(of: old.type) == newStorage.storage(of: new.type):
        kinds.append(
          misreadCases(old.type, new.type).isEmpty ? .typeRespelled : .rawValueChanged)
      case (.plain(let before), .plain(let after)) where before.isNumeric && after.isNumeric:
        kinds.append(.structFieldNumberChanged)
      default: kinds.append(.structFieldChanged)
      }
    }
    if !old.type.isOptional, new.type.isOptional { kinds.append(.structFieldMadeOptional) }
    if old.type.isOptional, !new.type.isOptional, now != .structure(.optionalFields) {
      kinds.append(.structFieldMadeRequired)
    }
    return kinds
  }

  private struct Holders {
    var areColumns = false
    /// Whether a value in columns is always required, because no enclosing value is optional.
    var areMandatory = false
    var areJSON = false
  }

  /// How properties that continue in the newer version store values of a type, directly or in a struct's field.
  private func holders(of type: String) -> Holders {
    var found = Holders()
    for model in pairing.new.models {
      guard let pair = pairing.pair(of: model) else { continue }
      for property in pair.properties.continued.map(\.new) where property.isStored {
        guard let attribute = property.attribute, attribute.transformer == nil else { continue }
        if let encoded = attribute.encodes {
          if reached(from: encoded).contains(type) { found.areJSON = true }
        } else {
          note(attribute.type, holds: type, isOptional: false, depth: 0, in: &found)
        }
      }
    }
    return found
  }

  private func note(
    _ held: TypeReference, holds type: String, isOptional: Bool, depth: Int,
    in found: inout Holders
  ) {
    let isOptional = isOptional || held.isOptional
    guard let declaration = newStorage.declaration(of: held) else {
      if reached(from: held).contains(type) { found.areJSON = true }
      return
    }
    if declaration.name == type {
      found.areColumns = true
      if !isOptional { found.areMandatory = true }
    }
    guard case .structure(let fields) = declaration.kind, depth < StorageTypes.deepest
    else { return }
    for field in fields {
      note(field.type, holds: type, isOptional: isOptional, depth: depth + 1, in: &found)
    }
  }

  private func reached(from type: TypeReference) -> Set<String> {
    var open = type.names
    var found: Set<String> = []
    while let name = open.popLast() {
      guard found.insert(name).inserted,
        case .structure(let fields)? = pairing.new.type(named: name)?.kind
      else { continue }
      open += fields.flatMap(\.type.names)
    }
    return found
  }
}
