internal import SchemaModel

/// Sample arguments for initialisers.
struct SampleValues {
  /// The kind of row to create.
  enum Flavor: Int, CaseIterable {
    /// A row with required values only.
    case least
    /// A row with a value in every property.
    case usual
    /// A row of empty and extreme values, and characters beyond ASCII.
    case unusual
  }

  private let types: [String: ValueTypeDeclaration]
  /// The app's module, written before types that tests hide; nil if the module is unknown.
  private let module: String?

  /// Types that generated tests declare: an app's enum may have one of these names.
  private static let hiding: Set<String> = ["Release", "SchemaFixtures", "Upgrade", "Version"]

  init(
    _ version: SchemaVersion, types newest: [String: ValueTypeDeclaration],
    _ configuration: Configuration
  ) {
    module = configuration.module
    let own = Dictionary(version.types, keyedBy: \.name)
    types = newest.mapValues { type in
      guard case .enumeration(let rawType, let cases) = type.kind,
        case .enumeration(_, let known)? = own[type.name]?.kind
      else { return type }
      // A row of the version cannot have cases that the version lacks.
      let names = Set(known.map(\.name))
      var common = type
      common.kind = .enumeration(rawType: rawType, cases: cases.filter { names.contains($0.name) })
      return common
    }
  }

  /// Whether a unique property has too few values for several rows.
  func isScarce(_ model: Model) -> Bool {
    let unique =
      model.properties.filter { $0.attribute?.options.contains(.unique) == true }
      + model.uniques.flatMap { constraint in
        constraint.names.compactMap { model.property(named: $0) }
      }
    return unique.contains { property in
      guard case .named(let name, []) = property.type.unwrapped else { return true }
      return StorageType.Primitive.bySwiftName[name].map { $0 == .bool } ?? true
    }
  }

  /// The arguments that create a row; nil if the app must create one of the values.
  ///
  /// - Parameters:
  ///   - number: Determines the row's identifier. Without a number, the identifier differs in every run.
  ///   - flavor: The kind of value that a property gets.
  func arguments(
    for model: Model, number: Int? = nil, _ flavor: (Property) -> Flavor
  ) -> [String]? {
    guard model.superclass == nil else { return nil }
    var arguments: [String] = []
    for property in model.properties where !property.isTransient {
      guard let value = value(for: property, flavor(property), number) else { return nil }
      if !value.isEmpty { arguments.append("\(property.name): \(value)") }
    }
    return arguments
  }

  /// The value's expression; empty to use the initialiser's default, nil if the app must create the value.
  private func value(for property: Property, _ flavor: Flavor, _ number: Int?) -> String? {
    switch property.kind {
    case .attribute(let attribute):
      let hasDefault = attribute.defaultValue != nil || attribute.type.isOptional
      // A default such as `Date()` differs in every run, and two rows must not have the same unique value.
      let isFixed = number == nil || attribute.defaultValue?.isVolatile != true
      if hasDefault, flavor == .least, isFixed { return "" }
      if let encodes = attribute.encodes {
        let isData = attribute.type.unwrapped.description == "Data"
        let value =
          flavor == .least
          ? nil : sample(encodes.unwrapped, flavor, number, depth: 0, isEncoded: true)
        if let value {
          // A bare literal would be encoded as another type.
          let type = encodes.unwrapped.description
          let isTyped = ["(", "."].contains { value.hasPrefix(written(type) + $0) }
          let argument = isTyped ? value : "\(value) as \(type)"
          return "StoredJSON.\(isData ? "data" : "text")(\(argument))"
        }
        if hasDefault { return "" }
        return isData ? "Data()" : "\"\""
      }
      let sample =
        attribute.transformer == nil
        ? sample(attribute.type, flavor, number, depth: 0) : nil
      if let former = attribute.former, let value = sample, value != "nil" {
        return "\(former)(of: \(value))"
      }
      return sample ?? (hasDefault ? "" : nil)
    case .relationship(let relationship):
      return relationship.cardinality == .one ? nil : ""
    }
  }

  private func written(_ name: String) -> String {
    Self.hiding.contains(name) ? (module.map { "\($0)." } ?? "") + name : name
  }

  private func sample(
    _ type: TypeReference, _ flavor: Flavor, _ number: Int?, depth: Int, isEncoded: Bool = false
  ) -> String? {
    guard depth < 4 else { return nil }
    switch type {
    case .optional(let wrapped):
      return flavor == .least
        ? "nil" : sample(wrapped, flavor, number, depth: depth, isEncoded: isEncoded)
    case .array(let element):
      guard flavor == .usual else { return "[]" }
      return sample(element, flavor, number, depth: depth + 1, isEncoded: true).map { "[\($0)]" }
    case .dictionary: return "[:]"
    case .named(let name, let arguments):
      guard arguments.isEmpty else { return name == "Set" ? "[]" : nil }
      if let primitive = StorageType.Primitive.bySwiftName[name] {
        if primitive == .uuid, let number { return "uuid(\(number))" }
        return primitive.row.samples[flavor.rawValue].replacing("$0", with: name)
      }
      guard let declaration = types[name] else { return nil }
      switch declaration.kind {
      case .enumeration(_, let cases):
        let chosen = flavor == .unusual ? cases.last : cases.first
        return chosen.map { "\(written(name)).\(SwiftIdentifier.quoted($0.name))" }
      case .structure(let fields):
        // A struct with its own `init(from:)` may have no memberwise initialiser.
        guard isEncoded || !declaration.isOwn || declaration.coding == nil else { return nil }
        var parts: [String] = []
        for field in fields where field.defaultValue == nil && !field.type.isOptional {
          let value = sample(
            field.type, flavor, number, depth: depth + 1, isEncoded: isEncoded)
          guard let value else { return nil }
          parts.append("\(field.name): \(value)")
        }
        return "\(written(name))(\(parts.joined(separator: ", ")))"
      case .opaque: return nil
      }
    }
  }
}
