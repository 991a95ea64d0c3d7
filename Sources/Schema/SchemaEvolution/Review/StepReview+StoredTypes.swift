internal import SchemaModel

/// Enums without raw values, which a model stores in a column for each case, and whose cases change.
///
/// Such an enum is declared once, as the newest version has it, and so changes in older versions' models as well. Its
/// cases enter the checksum (docs/facts/identity.md#composite-by-leaves): stores of those versions are known no longer
/// (134504). Structs have copies (`StructLayouts`).
extension StepReview {
  func storedTypes() -> [Diagnostic] {
    let before = Dictionary(old.types, keyedBy: \.name)
    let after = Dictionary(new.types, keyedBy: \.name)
    let changed = before.filter { name, type in
      guard case .enumeration(nil, let was) = type.kind,
        case .enumeration(nil, let now)? = after[name]?.kind
      else { return false }
      return Set(was.map(\.name)) != Set(now.map(\.name))
    }
    guard !changed.isEmpty else { return [] }
    var found: [Diagnostic] = []
    var seen: Set<String> = []
    for model in old.models {
      for property in model.properties where !property.isTransient {
        guard let attribute = property.attribute, attribute.transformer == nil,
          case .named(let name, arguments: []) = attribute.type.unwrapped
        else { continue }
        for type in before.reached(from: name) where changed[type] != nil {
          guard seen.insert(type).inserted else { continue }
          found.append(
            Diagnostic(
              .storedTypeChanged,
              "'\(type)' changes, and \(oldName)'s '\(model.name).\(property.name)' stores its cases: "
                + "SwiftData may no longer recognise stores of \(oldName) (error 134504)",
              element: ElementPath(type), at: after[type]?.location ?? new.location,
              help: [
                "leave '\(type)' as it was, declare the changed one under another name, and convert: "
                  + converting(property, "…", to: "New\(name)"),
                "or store it as JSON, which no checksum includes: "
                  + "\(property.name): { type: Data, encodes: \(type), … }",
                "to accept it: " + ManifestEdit.acceptance(Rule.storedTypeChanged.id, type),
              ]))
        }
      }
    }
    return found
  }
}
