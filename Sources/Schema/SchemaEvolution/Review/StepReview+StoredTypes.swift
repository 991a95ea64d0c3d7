internal import SchemaModel

/// Types that a model stores in columns of their parts, and that change.
///
/// A type is declared once, as the newest version has it, and so changes in older versions' models as well. Their
/// parts are likely to enter the checksum (docs/facts/identity.md#composite-by-leaves): then stores of those
/// versions are known no longer (134504).
extension StepReview {
  func storedTypes() -> [Diagnostic] {
    let before = Dictionary(old.types, keyedBy: \.name)
    let after = Dictionary(new.types, keyedBy: \.name)
    let changed = before.filter { name, type in
      // Another kind of type is refused anyway.
      after[name].map { $0.parts.first == type.parts.first && $0.parts != type.parts } ?? false
    }
    guard !changed.isEmpty else { return [] }
    var found: [Diagnostic] = []
    var seen: Set<String> = []
    for model in old.models {
      for property in model.properties where !property.isTransient {
        guard let attribute = property.attribute, attribute.transformer == nil,
          case .named(let name, arguments: []) = attribute.type.unwrapped
        else { continue }
        for type in reached(from: name, before) where changed[type] != nil {
          guard seen.insert(type).inserted else { continue }
          found.append(
            Diagnostic(
              .storedTypeChanged,
              "'\(type)' changes, and \(oldName)'s '\(model.name).\(property.name)' stores its parts: "
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

  /// A type and those in its fields, as deep as they go.
  func reached(
    from name: String, _ types: [String: ValueTypeDeclaration]
  ) -> [String] {
    var open = [name]
    var found: [String] = []
    while let next = open.popLast() {
      guard let type = types[next], !found.contains(next) else { continue }
      found.append(next)
      guard case .structure(let fields) = type.kind else { continue }
      open += fields.compactMap { field in
        if case .named(let name, arguments: []) = field.type.unwrapped { return name }
        return nil
      }
    }
    return found
  }
}

extension ValueTypeDeclaration {
  /// What a store keeps apart of it; one and the same for every enum that is stored as its raw value.
  fileprivate var parts: [String] {
    switch kind {
    case .enumeration(let rawType?, _): ["raw \(rawType)"]
    case .enumeration(nil, let cases): ["cases"] + cases.map(\.name).sorted()
    case .structure(let fields): ["fields"] + fields.map { "\($0.name): \($0.type)" }.sorted()
    case .opaque: ["opaque"]
    }
  }
}
