internal import SchemaModel

extension ReferenceResolver {
  /// Swift's own generic types that a store keeps. Arrays, dictionaries and optionals are parsed separately.
  private static let genericTypes: Set<String> = ["Set"]

  mutating func resolveTypes(_ version: SchemaVersion) {
    let declared = Set(version.types.map(\.name))
    for use in references.types {
      for name in use.type.names {
        if StorageType.Primitive.bySwiftName[name] != nil || declared.contains(name)
          || Self.genericTypes.contains(name) || StorageType.systemTypes[name] != nil
          || references.unread.contains(name)
        {
          continue
        }
        if models[name] != nil {
          if !use.isTransient { reportModel(name, use) }
        } else {
          reportUnknown(name, use, declared)
        }
      }
    }
  }

  private mutating func reportModel(_ name: String, _ use: References.TypeUse) {
    let mapping = use.isAttribute ? "{ relationship: \(Self.yaml(use.type)) }" : nil
    findings.report(
      .unknownType, "'\(name)' is a model, not a value", element: use.element,
      at: use.source.place(of: name),
      help: [
        mapping.map { "write '\($0)'" } ?? "keep the model's id, or declare a type under 'types:'"
      ], correction: mapping.map { .write($0) })
  }

  private mutating func reportUnknown(
    _ name: String, _ use: References.TypeUse, _ declared: Set<String>
  ) {
    findings.report(
      .unknownType, "no type is called '\(name)'", element: use.element,
      at: use.source.place(of: name),
      help: Suggestion.help(
        findings.suggestion(for: name, among: Self.known(declared, models.keys)))
        + ["if it is one of the app's types, declare it: 'types: { \(name): { opaque: true } }'"])
  }

  /// Reports values that are almost the name of an enum's case.
  ///
  /// Any other name may be a static member in one of the app's extensions, which only the compiler knows. Enums that
  /// the app declares are skipped, since they may have more members than the manifest lists.
  mutating func reportCases(_ version: SchemaVersion) {
    let enums = Dictionary(
      version.types.filter { !$0.isOwn && !$0.cases.isEmpty }, keyedBy: \.name)
    guard !enums.isEmpty else { return }
    for model in version.models {
      for property in model.properties {
        var values = [(property.attribute?.defaultValue, property.location)]
        for conversion in [property.migration.fill, property.migration.convert] {
          guard case .expression(let value)? = conversion?.value else { continue }
          values.append((value, conversion?.location))
        }
        for (value, location) in values {
          let names = value?.text.split(separator: ".", omittingEmptySubsequences: false) ?? []
          guard names.count == 2, let type = enums[String(names[0])],
            SwiftIdentifier.isAnyName(names[1])
          else { continue }
          let cases = type.cases.map(\.name)
          let name = String(names[1])
          guard !cases.contains(name), name != "self",
            let nearest = findings.suggestion(for: name, among: cases)
          else { continue }
          findings.report(
            .wrongValue, "'\(type.name)' has no case '\(name)'",
            element: ElementPath(model.name, property.name), at: location,
            help: Suggestion.help(nearest), severity: .warning)
        }
      }
    }
  }

  /// Reports each struct's field called `description`, which makes SwiftData end the process
  /// (docs/facts/swiftdata.md#description-is-refused). Structs in an array are allowed, since they are stored as JSON,
  /// without columns for fields (docs/facts/identity.md#type-codable-array). As far as known, this also holds for
  /// dictionaries (docs/facts/identity.md#type-dictionary).
  mutating func reportDescriptions(_ version: SchemaVersion) {
    // Almost no version has a field of that name.
    guard version.types.contains(where: { $0.fields.contains { $0.name == "description" } }) else {
      return
    }
    let types = Dictionary(version.types, keyedBy: \.name)
    var open = version.models.flatMap(\.properties).filter { property in
      property.isStored && property.attribute?.transformer == nil
    }.compactMap { $0.attribute?.type }
    var seen: Set<String> = []
    while let type = open.popLast() {
      switch type.unwrapped {
      case .array, .dictionary: continue
      default: break
      }
      for name in type.names where seen.insert(name).inserted {
        guard case .structure(let fields)? = types[name]?.kind else { continue }
        open += fields.map(\.type)
        for field in fields where field.name == "description" {
          findings.report(
            .reservedName,
            "a field cannot be called 'description': SwiftData aborts on a stored struct with a field of that name",
            element: ElementPath(name, field.name), at: field.location,
            help: ["choose another name, or store the struct in an array or as JSON"])
        }
      }
    }
  }

  private static func known(
    _ declared: Set<String>, _ models: some Sequence<String>
  ) -> [String] {
    Array(StorageType.Primitive.bySwiftName.keys) + genericTypes + StorageType.systemTypes.keys
      + declared + models
  }

  private static func yaml(_ type: TypeReference) -> String {
    let text = type.description
    return text.hasPrefix("[") ? "\"\(text)\"" : text
  }
}
