internal import Foundation
internal import ManagedModels
internal import RehearsalHarness
internal import SchemaManifest
internal import SchemaModel

/// Reads one value of a fixture as its property stores it.
struct FixtureValueReader {
  let lookup: VersionIndex

  /// Why a value cannot stand where it does.
  struct Refusal: Error {
    var reason: String
    var location: SourceLocation
    var help: [String] = []
  }

  static func isNull(_ scalar: YAMLScalar) -> Bool {
    scalar.style == .plain && ["", "~", "null"].contains(scalar.text)
  }

  /// The slots of an attribute with the value that a node says.
  func values(
    _ node: YAMLNode, _ attribute: Attribute, _ name: String
  ) throws(Refusal) -> [String: PlannedValue] {
    if let scalar = node.scalar, Self.isNull(scalar) {
      guard attribute.type.isOptional else {
        throw Refusal(reason: "it is required and cannot be null", location: node.location)
      }
      return [:]
    }
    if attribute.encodes != nil {
      guard let text = node.scalar?.text else {
        throw Refusal(
          reason: "it is stored as JSON", location: node.location,
          help: ["write the JSON as text: '{ … }'"])
      }
      let isText = attribute.type.unwrapped.description == "String"
      return [name: .stored(isText ? .text(text) : .blob(Data(text.utf8)))]
    }
    return try values(node, attribute.type, lookup.storage(of: attribute), name)
  }

  private func values(
    _ node: YAMLNode, _ type: TypeReference, _ storage: StorageType, _ path: String
  ) throws(Refusal) -> [String: PlannedValue] {
    switch storage {
    case .primitive(let primitive): return [path: .stored(try value(node, primitive))]
    case .rawEnum(let primitive):
      return ["\(path).rawValue": .stored(try rawValue(node, type, primitive))]
    case .archived(let array):
      guard case .sequence(let nodes) = node.content else {
        throw Refusal(reason: "it is a list, not \(node.kind)", location: node.location)
      }
      let primitive = StorageType.Primitive.bySwiftName[String(array.dropFirst().dropLast())]
      var elements: [StoredValue] = []
      for node in nodes { elements.append(try value(node, primitive ?? .string)) }
      return [path: .archived(elements, of: ValueMaker.elementType(of: storage))]
    case .transformable:
      throw Refusal(
        reason: "only its transformer knows how '\(type)' is stored", location: node.location)
    case .composite:
      guard let declaration = lookup.type(named: type.unwrapped.description) else {
        throw Refusal(reason: "values of type '\(type)' are not supported", location: node.location)
      }
      return try composite(node, declaration, path)
    }
  }

  private func composite(
    _ node: YAMLNode, _ declaration: ValueTypeDeclaration, _ path: String
  ) throws(Refusal) -> [String: PlannedValue] {
    switch declaration.kind {
    case .opaque:
      throw Refusal(
        reason: "only the app knows what '\(declaration.name)' consists of",
        location: node.location)
    case .enumeration(_, let cases):
      let name = node.scalar?.text ?? ""
      guard cases.contains(where: { $0.name == name }) else {
        if isGone({ $0.name == name }, of: declaration.name) {
          throw Self.gone("'\(declaration.name).\(name)'", at: node.location)
        }
        throw Refusal(
          reason: "'\(declaration.name)' has no case '\(name)'", location: node.location,
          help: Suggestion.help(for: name, among: cases.map(\.name)))
      }
      return ["\(path).\(name)": .stored(.text("{}"))]
    case .structure(let fields):
      guard case .mapping(let entries) = node.content else {
        throw Refusal(
          reason: "'\(declaration.name)' is a mapping from its fields, not \(node.kind)",
          location: node.location)
      }
      var found: [String: PlannedValue] = [:]
      for entry in entries {
        guard let field = fields.first(where: { $0.name == entry.key }) else {
          throw Refusal(
            reason: "'\(declaration.name)' has no field '\(entry.key)'",
            location: entry.keyLocation,
            help: Suggestion.help(for: entry.key, among: fields.map(\.name)))
        }
        if let scalar = entry.value.scalar, Self.isNull(scalar) { continue }
        let inner = try values(
          entry.value, field.type, lookup.storage(of: field.type), "\(path).\(field.name)")
        found.merge(inner) { $1 }
      }
      return found
    }
  }

  private func rawValue(
    _ node: YAMLNode, _ type: TypeReference, _ primitive: StorageType.Primitive
  ) throws(Refusal) -> StoredValue {
    let value = try value(node, primitive)
    guard case .enumeration(_, let cases)? = lookup.type(named: type.unwrapped.description)?.kind,
      (cases + (lookup.cases(of: type)?.kept ?? [])).contains(where: {
        LiteralReader.value($0.storedText, primitive) == value
      })
    else {
      if isGone({ LiteralReader.value($0.storedText, primitive) == value }, of: "\(type.unwrapped)")
      {
        throw Self.gone("the case of '\(type.unwrapped)' with this raw value", at: node.location)
      }
      throw Refusal(
        reason: "no case of '\(type.unwrapped)' has this raw value", location: node.location)
    }
    return value
  }

  /// Whether this version's own declaration of an enum has such a case.
  private func isGone(_ isSought: (EnumCase) -> Bool, of name: String) -> Bool {
    lookup.ownCases(of: .named(name))?.contains(where: isSought) ?? false
  }

  private static func gone(_ what: String, at location: SourceLocation) -> Refusal {
    Refusal(
      reason:
        "a newer version no longer has \(what), and the code is compiled with the newest enums",
      location: location,
      help: ["leave the row out: the rehearsal makes one of its own that holds the case"])
  }

  private func value(
    _ node: YAMLNode, _ primitive: StorageType.Primitive
  ) throws(Refusal) -> StoredValue {
    guard let text = node.scalar?.text else {
      throw Refusal(reason: "it is one value, not \(node.kind)", location: node.location)
    }
    guard let value = Self.value(text, primitive) else {
      throw Refusal(
        reason: "'\(text)' is not a \(Self.form(primitive))", location: node.location)
    }
    return value
  }

  private static func form(_ primitive: StorageType.Primitive) -> String {
    switch primitive {
    case .bool: "'true' or 'false'"
    case .int16, .int32, .int64: "whole number"
    case .double, .float, .decimal: "number"
    case .date: "date: write 2025-11-15T08:00:00Z, or seconds since 2001"
    case .data: "base64"
    case .uuid: "UUID"
    case .string, .url: "text"
    }
  }

  private static func whole(_ text: String, _ range: ClosedRange<Int64>) -> StoredValue? {
    Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
  }

  private static func value(_ text: String, _ primitive: StorageType.Primitive) -> StoredValue? {
    switch primitive {
    case .string, .url: return .text(text)
    case .bool: return text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
    // Unsigned types are kept as wide as signed ones.
    case .int16: return whole(text, Int64(Int16.min)...Int64(UInt16.max))
    case .int32: return whole(text, Int64(Int32.min)...Int64(UInt32.max))
    case .int64: return whole(text, Int64.min...Int64.max)
    case .float: return Float(text).map { .real(Double($0)) }
    case .double, .decimal: return Double(text).map { .real($0) }
    case .date:
      if let seconds = Double(text) { return .real(seconds) }
      return (try? Date(text, strategy: .iso8601)).map {
        .real($0.timeIntervalSinceReferenceDate)
      }
    case .data: return Data(base64Encoded: text).map { .blob($0) }
    case .uuid:
      return UUID(uuidString: text).map { uuid in
        .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
      }
    }
  }
}
