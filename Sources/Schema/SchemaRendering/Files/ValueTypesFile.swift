internal import SchemaEvolution
internal import SchemaModel

struct ValueTypesFile: EmittedFile {
  static let template = "ValueTypes"
  var path: String { "ValueTypes.swift" }

  var mark: String
  var importLines: [String]
  var enumerations: [EnumerationView]
  var structures: [StructureView]
  var formers: [FormerEnumView]
  var conversions: [LayoutConversionView]
  /// Lines of aliases for types nested in classes that the app keeps.
  var aliases: [String]

  static let sections: [String: any TemplateView.Type] = [
    "enumerations": EnumerationView.self, "structures": StructureView.self,
    "formers": FormerEnumView.self, "conversions": LayoutConversionView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "enumerations": { $0.enumerations },
    "structures": { $0.structures }, "formers": { $0.formers },
    "conversions": { $0.conversions },
    "aliases": { $0.aliases }, "hasAliases": { !$0.aliases.isEmpty },
  ]
}

/// A former enum. Models of older versions store it, because cases of today's enum were renamed or replaced.
struct FormerEnumView: TemplateView {
  var access: String
  var name: String
  var type: String
  var documentation: [String]
  var conformances: String
  var cases: [String]
  /// `case .low: self = .low`, from today's case to the stored one.
  var toFormer: [String]
  /// `case .low: self = .low`, from the stored case to today's.
  var fromFormer: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "name": { $0.name }, "type": { $0.type },
    "documentation": { $0.documentation }, "conformances": { $0.conformances },
    "cases": { $0.cases }, "toFormer": { $0.toFormer }, "fromFormer": { $0.fromFormer },
  ]

  fileprivate init(_ former: FormerEnum, access: String) {
    self.access = access
    name = former.name
    type = former.type
    documentation = SwiftText.documentation(
      "`\(former.type)` as models of versions before \(former.until.name) store it, with the cases that are gone."
    )
    conformances = "\(former.rawType), Codable, Hashable, Sendable"
    cases = former.cases.map {
      let name = SwiftIdentifier.quoted($0.name)
      return $0.rawValue == "\"\($0.name)\"" ? name : "\(name) = \($0.rawValue)"
    }
    toFormer = former.predecessors.map { EnumerationView.line($0.newest, $0.former) }
    fromFormer = former.cases.map { EnumerationView.line($0.name, $0.successor) }
  }
}

/// An enum without associated values.
struct EnumerationView: TemplateView {
  var access: String
  var name: String
  var documentation: [String]
  var conformances: String
  var cases: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "name": { $0.name }, "documentation": { $0.documentation },
    "conformances": { $0.conformances }, "cases": { $0.cases },
    "guarding": { view in
      SwiftText.guarding(
        ["nonisolated \(view.access)enum \(view.name): \(view.conformances) {"], indent: 0)
    },
  ]
}

/// The initialiser that converts a struct or an enum from the layout of a neighbouring version.
struct LayoutConversionView: TemplateView {
  var access: String
  var from: String
  var to: String
  var canFail: Bool
  var assignments: [String]
  var cases: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "from": { $0.from }, "to": { $0.to },
    "assignments": { $0.assignments }, "cases": { $0.cases },
    "hasCases": { !$0.cases.isEmpty }, "canFail": { $0.canFail },
  ]

  fileprivate init(_ conversion: LayoutConversion, access: String) {
    self.access = access
    from = conversion.from
    to = conversion.to
    canFail = conversion.canFail
    assignments = []
    cases = []
    switch conversion.parts {
    case .fields(let fields):
      let text = ConversionText(row: "value")
      assignments = fields.map { "\(SwiftIdentifier.quoted($0.name)) = \(text.text($0.value))" }
    case .cases(let all):
      cases = all.map { EnumerationView.line($0.name, $0.successor) }
    }
  }
}

extension ValueTypesFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input.typed) }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.typed.types.values.sorted { $0.name < $1.name }.map {
      Declaration($0.name, "a value type", .domain, at: $0.location)
    }
      + input.typed.formers.map { former in
        Declaration(former.name, "the former '\(former.type)'", .domain, at: nil)
      }
  }

  /// The newest version's types, and those that only models of older versions use. Nil if there is nothing to write.
  private init?(_ evolution: Evolution) {
    let configuration = evolution.configuration
    let access = configuration.access.prefix
    mark = FileMark.everyManifest
    let types = evolution.types.values.sorted { $0.name < $1.name }
    let newest = evolution.history[evolution.history.count - 1]
    // A nested type disappears with the class that contains it, but older versions still need the type.
    let keepsClasses = configuration.classes != nil
    let kept = types.filter {
      keepsClasses && $0.appName != nil && newest.type(named: $0.name) != nil
    }
    let generated = types.filter { type in
      !type.isOwn || type.appName != nil && !kept.contains { $0.name == type.name }
    }
    aliases = kept.flatMap { SwiftText.alias(access, $0.name, $0.appName ?? "") }
    var shown = Imports.Shown()
    for type in generated {
      guard case .structure(let fields) = type.kind else { continue }
      for field in fields {
        shown.add(field.type)
        shown.add(field.defaultValue)
      }
    }
    importLines = Imports(evolution).lines(["Foundation"], shown)
    enumerations = generated.compactMap { EnumerationView($0, access: access) }
    structures = generated.compactMap { type in
      guard case .structure(let fields) = type.kind else { return nil }
      return StructureView(
        name: type.name, documentation: type.documentation ?? "A value that models store.",
        conformances: ["Codable", "Hashable", "Sendable"],
        fields: fields.map {
          StructureView.Field(name: $0.name, type: $0.type, defaultValue: $0.defaultValue)
        }, access: access)
    }
    formers = evolution.formers.map { FormerEnumView($0, access: access) }
    conversions = evolution.layouts.conversions.map { LayoutConversionView($0, access: access) }
    if enumerations.isEmpty, structures.isEmpty, formers.isEmpty, aliases.isEmpty { return nil }
  }
}

extension EnumerationView {
  fileprivate static func line(_ from: String, _ to: String?) -> String {
    let made = to.map { "self = .\(SwiftIdentifier.quoted($0))" } ?? "return nil"
    return "case .\(SwiftIdentifier.quoted(from)): \(made)"
  }

  init?(_ type: ValueTypeDeclaration, access: String) {
    guard case .enumeration(let rawType, let cases) = type.kind else { return nil }
    self.access = access
    name = type.name
    documentation = SwiftText.documentation(type.documentation ?? "A value that models store.")
    let protocols = ["CaseIterable", "Codable", "Hashable", "Sendable"].joined(separator: ", ")
    conformances = (rawType.map { "\($0), " } ?? "") + protocols
    self.cases = cases.map { enumCase in
      let name = SwiftIdentifier.quoted(enumCase.name)
      guard rawType != nil, let value = enumCase.rawValue, value.text != "\"\(enumCase.name)\""
      else {
        return name
      }
      return "\(name) = \(value.text)"
    }
  }
}
