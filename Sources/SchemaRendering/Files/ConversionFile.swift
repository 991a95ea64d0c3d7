internal import SchemaEvolution
internal import SchemaModel

/// What Conversion.mustache reads: the converters of one version.
struct ConversionFile: EmittedFile {
  static let template = "Conversion"

  var path: String
  var mark: String
  var imports: [String]
  var converters: [ConverterView]

  static let sections: [String: any TemplateView.Type] = ["converters": ConverterView.self]

  static var members: [String: (Self) -> Any?] {
    ["mark": { $0.mark }, "imports": { $0.imports }, "converters": { $0.converters }]
  }
}

/// The converters of one model.
struct ConverterView: TemplateView {
  var access: String
  /// `SchemaV9.HabitModel`
  var model: String
  var entity: String
  var version: String
  var summary: String
  var toEntity: [String]
  /// The declaration's lines, up to the opening brace; none where there is no way back.
  var fromEntityHead: [String]
  var fromEntity: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "access": { $0.access }, "model": { $0.model }, "entity": { $0.entity },
      "version": { $0.version }, "summary": { $0.summary },
      "toEntity": { SwiftText.block($0.toEntity, indent: 4) },
      "fromEntityHead": { $0.fromEntityHead },
      "fromEntity": { SwiftText.block($0.fromEntity, indent: 4) },
      "hasFromEntity": { !$0.fromEntity.isEmpty },
    ]
  }
}

extension ConversionFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    let evolution = input.evolution
    guard evolution.configuration.converters != .none else { return [] }
    return evolution.history.indices.filter { !evolution.converters[$0].isEmpty }
      .map { index in { Self(evolution, index: index) } }
  }

  private init(_ evolution: Evolution, index: Int) {
    let configuration = evolution.configuration
    let version = evolution.history[index]
    let schema = configuration.names.schema(version.number)
    let isNewest = index == evolution.history.count - 1
    path = "\(schema)+Conversion.swift"
    mark = FileMark.everyManifest
    imports = Imports.list(["Foundation"], configuration)
    converters = evolution.converters[index].values.sorted { $0.model < $1.model }.map {
      ConverterView(
        $0, schema: schema, version: version.number.name, isNewest: isNewest,
        access: configuration.access.prefix, hasWayBack: configuration.converters == .both)
    }
  }
}

extension ConverterView {
  init(
    _ converter: Converter, schema: String, version: String, isNewest: Bool, access: String,
    hasWayBack: Bool
  ) {
    self.access = access
    model = "\(schema).\(converter.model)"
    entity = converter.entity
    self.version = version
    summary =
      isNewest
      ? "The entity that this row stores."
      : "Today's entity from a row of \(version)."
    let values = ConversionText(schema: schema)
    toEntity = Self.call(converter.entity, converter.toEntity.map(values.argument))
    guard hasWayBack else {
      fromEntityHead = []
      fromEntity = []
      return
    }
    let head = "\(access)static func fromEntity"
    fromEntityHead = SwiftText.list(
      head, ["_ entity: \(converter.entity)"], " -> \(model) {", indent: 2)
    fromEntity = Self.call(model, converter.fromEntity.map(values.argument))
  }

  /// `head(label: value, …)` on one line where it fits and there is nothing to say, else a value on each.
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

/// One argument of a converter's call, as it is written.
struct ConverterArgument {
  var label: String
  var text: String
  /// The comment behind it.
  var note: String?
}

extension ConversionText {
  func argument(_ value: ConvertedValue) -> ConverterArgument {
    ConverterArgument(
      label: value.label, text: text(value.value), note: value.note?.description)
  }
}
