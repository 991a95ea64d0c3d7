internal import SchemaEvolution
internal import SchemaModel

/// What Conversion.mustache reads: the converters of one version.
struct ConversionFileView: TemplateView {
  var mark: String
  var imports: [String]
  var converters: [ConverterView]

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

extension ConversionFileView {
  init(evolution: Evolution, index: Int, mark: String) {
    let configuration = evolution.configuration
    let version = evolution.history[index]
    let schema = configuration.names.schema(version.number)
    let isNewest = index == evolution.history.count - 1
    self.mark = mark
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
    toEntity = Self.call(converter.entity, converter.toEntity, schema)
    guard hasWayBack else {
      fromEntityHead = []
      fromEntity = []
      return
    }
    let head = "\(access)static func fromEntity"
    fromEntityHead = SwiftText.list(
      head, ["_ entity: \(converter.entity)"], " -> \(model) {", indent: 2)
    fromEntity = Self.call(model, converter.fromEntity, schema)
  }

  /// `head(label: value, …)` on one line where it fits and there is nothing to say, else a value on each.
  static func call(
    _ head: String, _ values: [ConvertedValue], _ schema: String, indent: Int = 4
  ) -> [String] {
    if values.isEmpty { return ["\(head)()"] }
    if values.allSatisfy({ $0.note == nil }) {
      let arguments = values.map { "\($0.label): \(text($0, schema))" }
      let list = SwiftText.list(head, arguments, indent: indent)
      if list.count == 1 { return list }
    }
    var lines = ["\(head)("]
    for (index, value) in values.enumerated() {
      let end = index == values.count - 1 ? "" : ","
      lines += SwiftText.argument(
        value.label, text(value, schema), end: end, note: value.note?.description, indent: indent + 2
      ).map { "  " + $0 }
    }
    return SwiftText.guarded(lines + [")"], indent: indent)
  }

  private static func text(_ value: ConvertedValue, _ schema: String) -> String {
    let text = value.value.text
    // The mark's first byte: looking for it is much faster than for the mark.
    guard text.utf8.contains(0xEE) else { return text }
    return text.split(separator: ConvertedValue.schemaMark, omittingEmptySubsequences: false)
      .joined(separator: schema)
  }
}
