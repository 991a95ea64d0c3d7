internal import SchemaEvolution
internal import SchemaModel

/// What Conversion.mustache reads: the converters of one version.
struct ConversionFile: EmittedFile {
  static let template = "Conversion"

  var path: String
  var mark: String
  var importLines: [String]
  var converters: [ConverterView]

  static let sections: [String: any TemplateView.Type] = ["converters": ConverterView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "converters": { $0.converters },
  ]
}

struct ConverterView: TemplateView {
  var access: String
  var model: String
  var entity: String
  var summary: String
  var toEntity: [String]
  /// The functions that create rows from entities; empty with `converters: toEntity`.
  var functions: [ConversionFunctionView]
  /// Functions that a subclass must not inherit. Called on a subclass, they would create a row of the superclass.
  var ownFunctions: [ConversionFunctionView]

  static let sections: [String: any TemplateView.Type] = [
    "functions": ConversionFunctionView.self, "ownFunctions": ConversionFunctionView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "model": { $0.model }, "entity": { $0.entity },
    "summary": { $0.summary }, "toEntity": { SwiftText.block($0.toEntity, indent: 4) },
    "functions": { $0.functions }, "ownFunctions": { $0.ownFunctions },
  ]
}

/// One function that takes an entity.
struct ConversionFunctionView: TemplateView {
  var documentation: [String]
  var head: [String]
  var body: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "documentation": { $0.documentation }, "head": { $0.head },
    "body": { SwiftText.block($0.body, indent: 4) },
  ]
}

extension ConversionFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    let evolution = input.evolution
    guard evolution.configuration.converters != .none else { return [] }
    return evolution.versions.indices.filter { !evolution.versions[$0].converters.isEmpty }
      .map { index in { Self(evolution, index: index) } }
  }

  private init(_ evolution: Evolution, index: Int) {
    let configuration = evolution.configuration
    let evolved = evolution.versions[index]
    let version = evolved.declared
    let schema = configuration.names.schema(version.number)
    let isNewest = index == evolution.history.count - 1
    path = "\(schema)+Conversion.swift"
    mark = FileMark.everyManifest
    var shown = Imports.Shown()
    for converter in evolved.converters.values {
      shown.add(.named(converter.entity))
      for link in converter.update?.links ?? [] { shown.add(link.field.type) }
    }
    let superclasses = Set(version.models.compactMap(\.superclass?.value))
    converters = evolved.converters.values.sorted { $0.model < $1.model }.map {
      ConverterView(
        $0, schema: schema, version: version.number.name, isNewest: isNewest,
        access: configuration.access.prefix, hasWayBack: configuration.converters == .both,
        maker: evolution.maker(of: $0.model, in: evolved.stored),
        hasSubclasses: superclasses.contains($0.model))
    }
    let frameworks = converters.allSatisfy(\.ownFunctions.isEmpty) ? [] : ["SwiftData"]
    importLines = Imports(evolution).lines(["Foundation"] + frameworks, showing: frameworks, shown)
  }
}

extension ConverterView {
  init(
    _ converter: Converter, schema: String, version: String, isNewest: Bool, access: String,
    hasWayBack: Bool, maker: String, hasSubclasses: Bool
  ) {
    self.access = access
    model = "\(schema).\(converter.model)"
    entity = converter.entity
    summary =
      isNewest
      ? "The entity that this row stores."
      : "Today's entity from a row of \(version)."
    let values = ConversionText(schema: schema)
    toEntity = Self.call(converter.entity, converter.toEntity.map(values.argument))
    functions = []
    ownFunctions = []
    guard hasWayBack else { return }
    let wayBack = ConversionFunctionView(
      documentation: Self.wayBackSummary(converter, version: version, isNewest: isNewest),
      head: SwiftText.list(
        "\(access)static func fromEntity", ["_ entity: \(converter.entity)"],
        " -> \(model) {", indent: 2),
      body: Self.call(maker, converter.fromEntity.map(values.argument)))
    if hasSubclasses { ownFunctions.append(wayBack) } else { functions.append(wayBack) }
    if let update = converter.update {
      functions += update.functions(
        of: converter.entity, schema: schema, access: access, values: values)
    }
  }

  private static func wayBackSummary(
    _ converter: Converter, version: String, isNewest: Bool
  ) -> [String] {
    var text = isNewest ? "A new row from an entity." : "A row of \(version) from today's entity."
    if !converter.unlinked.isEmpty { text += " The caller sets \(converter.unlinked.asCode)." }
    if converter.update != nil { text += " If the row exists, use `update(from:)`." }
    return SwiftText.documentation(text, indent: 2)
  }

  /// `head(label: value, …)`, on one line if the call fits and no value has a note, otherwise with one value per line.
  static func call(
    _ head: String, _ values: [ConverterArgument], indent: Int = 4
  ) -> [String] {
    if values.isEmpty { return ["\(head)()"] }
    if values.allSatisfy({ $0.note == nil }) {
      let arguments = values.map { "\($0.label): \($0.text)" }
      let list = SwiftText.list(head, arguments, indent: indent)
      if list.count == 1 { return list }
    }
    var lines = ["\(head)("]
    for (index, value) in values.enumerated() {
      let end = index == values.count - 1 ? "" : ","
      lines += SwiftText.argument(
        value.label, value.text, end: end, note: value.note, indent: indent + 2
      ).map { "  " + $0 }
    }
    return SwiftText.guarded(lines + [")"], indent: indent)
  }
}

extension EntityUpdate {
  /// `update(from:)`, and a second one that sets links if the entity has any.
  fileprivate func functions(
    of entity: String, schema: String, access: String, values text: ConversionText
  ) -> [ConversionFunctionView] {
    let canThrow = values.contains(where: \.isEncoded)
    let attributes = ConversionFunctionView(
      documentation: SwiftText.documentation(
        "Takes over the entity's values." + Self.stays(kept + links.map(\.property.name)), indent: 2
      ),
      head: SwiftText.list(
        "\(access)func update", ["from entity: \(entity)"], canThrow ? " throws {" : " {", indent: 2
      ),
      body: encoding(text)
        + values.flatMap { value in
          let name = SwiftIdentifier.quoted(value.label)
          return value.isEncoded
            ? ["self.\(name) = \(name)"]
            : SwiftText.assignment(name, text.text(value.value), indent: 4)
        })
    guard !links.isEmpty else { return [attributes] }
    let call = canThrow ? "try update(from: entity)" : "update(from: entity)"
    let parameters = links.map { link in
      "\(SwiftIdentifier.quoted(link.property.name)): (\(link.held)) throws -> \(SwiftText.qualified(link.property, in: schema))"
    }
    let linked = ConversionFunctionView(
      documentation: SwiftText.documentation(
        "Takes over the entity's values, and the links that it holds: each closure finds the rows, or makes them."
          + Self.stays(kept), indent: 2),
      head: SwiftText.list(
        "\(access)func update", ["from entity: \(entity)"] + parameters,
        canThrow ? " throws {" : " rethrows {", indent: 2),
      body: links.flatMap(\.finding) + (values.isEmpty ? [] : [call])
        + links.map { "self.\($0.name) = \($0.name)" })
    return values.isEmpty ? [linked] : [attributes, linked]
  }

  /// The statements that encode values, which can fail. They come first, so an error changes nothing.
  private func encoding(_ text: ConversionText) -> [String] {
    values.filter(\.isEncoded).flatMap { value in
      SwiftText.assignment(
        "let \(SwiftIdentifier.quoted(value.label))", "try " + text.text(value.value), indent: 4)
    }
  }

  private static func stays(_ names: [String]) -> String {
    names.isEmpty
      ? "" : " \(names.asCode) \(names.count == 1 ? "stays as it is" : "stay as they are")."
  }
}

extension ConvertedValue {
  fileprivate var isEncoded: Bool { if case .encoded = value { true } else { false } }
}

extension LinkUpdate {
  /// The type with which the entity represents the rows at the other end.
  fileprivate var held: String { field.type.unwrapped.description }

  fileprivate var name: String { SwiftIdentifier.quoted(property.name) }

  /// The call of the closure that finds the property's rows, before anything changes. The result has the property's
  /// name.
  fileprivate var finding: [String] {
    let held = ConversionText.field(field.name)
    let value = field.type.isOptional ? "\(held).flatMap(\(name))" : "\(name)(\(held))"
    return SwiftText.assignment("let \(name)", "try \(value)", indent: 4)
  }
}

extension [String] {
  fileprivate var asCode: String { map { "`\($0)`" }.enumeration }
}

struct ConverterArgument {
  var label: String
  var text: String
  var note: String?
}

extension ConversionText {
  func argument(_ value: ConvertedValue) -> ConverterArgument {
    ConverterArgument(
      label: value.label, text: text(value.value), note: value.note?.description)
  }
}
