internal import Mustache
package import SchemaModel
internal import SchemaTemplates

extension Rule {
  package static let template = Rule(
    "template", "A template is broken, or names what its view model does not have",
    basis: .fact(.tooling, "template-engines", .certain))
}

/// The templates of one run: the built-in ones, some of them replaced by the user's.
package struct TemplateStore: Sendable {
  private let templates: [TemplateName: MustacheTemplate]
  package let diagnostics: [Diagnostic]

  /// - Parameter overrides: Files of the user's templates folder.
  package init(overrides: [SourceFile] = []) {
    var templates: [TemplateName: MustacheTemplate] = [:]
    var diagnostics: [Diagnostic] = []
    let replacements = Dictionary(overrides, keyedBy: \.name)
    let known = Set(TemplateName.allCases.map(\.fileName))
    for file in overrides.sorted(by: { $0.path < $1.path }) where !known.contains(file.name) {
      guard file.name.hasSuffix(".mustache") else { continue }
      diagnostics.append(
        Diagnostic(
          .template, "no template is called '\(file.name)'", at: SourceLocation(file: file.path),
          help: Suggestion.help(for: file.name, among: known)))
    }
    for name in TemplateName.allCases {
      let read =
        replacements[name.fileName].map { Self.read($0, as: name) } ?? Self.builtIn[name]
      templates[name] = read?.template
      diagnostics += read?.diagnostics ?? []
    }
    self.templates = templates
    self.diagnostics = diagnostics
  }

  /// The built-in templates, read on first use: most runs of lint use none.
  private static let builtIn = Dictionary(
    uniqueKeysWithValues: TemplateName.allCases.map { name in
      let bytes = SchemaTemplates.sources[name.rawValue] ?? []
      return (name, read(SourceFile(path: name.fileName, bytes: bytes), as: name))
    })

  private static func read(
    _ file: SourceFile, as name: TemplateName
  ) -> (template: MustacheTemplate?, diagnostics: [Diagnostic]) {
    let found = TemplateCheck(file: file, example: name.example).diagnostics()
    guard found.isEmpty else { return (nil, found) }
    do {
      return (try MustacheTemplate(string: file.text), [])
    } catch {
      let place = SourceLocation(file: file.path)
      return (nil, [Diagnostic(.template, "the template cannot be read: \(error)", at: place)])
    }
  }

  /// The bytes of the built-in templates, in a fixed order: they shape what is generated.
  package static var builtInFingerprint: [UInt8] {
    TemplateName.allCases.flatMap { (SchemaTemplates.sources[$0.rawValue] ?? []) + [0] }
  }

  /// The file that a template makes of its view model: LF, no blank line at the end but a line break.
  func render(_ name: TemplateName, _ view: some TemplateView) -> String {
    guard let template = templates[name] else { return "" }
    var text = template.render(view)
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }
}

/// The templates by name; each knows an example of what it reads.
enum TemplateName: String, CaseIterable, Sendable {
  case activeSchema = "ActiveSchema"
  case cloudMapper = "CloudMapper"
  case cloudSupport = "CloudSupport"
  case conversion = "Conversion"
  case debugReport = "DebugReport"
  case entities = "Entities"
  case fixtures = "Fixtures"
  case jsonImport = "JSONImport"
  case migrationLog = "MigrationLog"
  case migrationPlan = "MigrationPlan"
  case migrationProgressView = "MigrationProgressView"
  case migrationRows = "MigrationRows"
  case migrations = "MIGRATIONS"
  case migrationSupport = "MigrationSupport"
  case migrationTests = "MigrationTests"
  case planDescription = "PlanDescription"
  case userMigration = "UserMigration"
  case schema = "Schema"
  case valueTypes = "ValueTypes"

  var fileName: String { rawValue + ".mustache" }

  /// A view model in which nothing is missing: what a template may name is what this has.
  var example: any TemplateView {
    let structure = StructureView(
      access: "", name: "", documentation: [""], conformances: "", properties: [""],
      initializer: [""])
    switch self {
    case .activeSchema:
      return ActiveSchemaView(
        mark: "", access: "", name: "", schema: "", plan: "",
        aliases: [""])
    case .cloudMapper:
      let form = CloudFormView(
        recordType: "", version: 1, type: "", documentation: "", members: [""], reads: [""],
        call: [""], toHead: [""], toEntity: [""])
      return CloudMapperView(
        mark: "", imports: [""], access: "", name: "", entity: "", recordType: "", version: 1,
        versionKey: "", keys: [""], isIdentifiable: true, recordName: "", mayBeUnnameable: true,
        writes: [""],
        fromHead: [""], forms: [form])
    case .cloudSupport: return CloudSupportView(mark: "", access: "")
    case .conversion:
      let converter = ConverterView(
        access: "", model: "", entity: "", version: "", summary: "", toEntity: [""],
        fromEntityHead: [""], fromEntity: [""])
      return ConversionFileView(mark: "", imports: [""], converters: [converter])
    case .debugReport:
      return DebugReportView(
        mark: "", imports: [""], access: "", activeSchema: "", counts: [""], versions: [""],
        rows: [DebugRowView(access: "", model: "", values: [""])])
    case .fixtures:
      let release = FixtureView(
        caseName: "", version: "", label: "", schema: "", rows: [""], statements: [""])
      return FixturesView(mark: "", module: "", releases: [release])
    case .entities: return EntitiesView(mark: "", imports: [""], entities: [structure])
    case .jsonImport:
      let entity = JSONEntityView(
        access: "", source: "", runName: "", run: [""], rows: [""], settling: [""],
        insertion: [""], linking: [""], linkCall: [""])
      let structure = JSONStructureView(
        entity: "", json: "", fields: [""], keys: [""], reads: [""], toEntity: [""])
      return JSONImportView(
        mark: "", imports: [""], access: "", sourcesInit: [""], entities: [entity],
        structures: [structure], hasKeys: true, outcomes: [""])
    case .migrationLog, .migrationProgressView: return LogView(mark: "")
    case .migrationPlan:
      let stage = StageView(
        name: "", documentation: [""], from: "", to: "", title: "", isLightweight: true,
        steps: [""], after: "")
      return PlanFileView(
        mark: "", access: "", name: "", schemas: [""], stageList: [""], stages: [stage])
    case .migrationRows:
      let function = FunctionView(name: "", documentation: [""], body: [""], isNotFirst: true)
      return RowsFileView(
        mark: "", imports: [""], documentation: [""], name: "", functions: [function])
    case .migrations:
      let change = ChangeView(
        element: "", detail: "", title: "", mechanism: "", effect: "", reason: "", rule: "",
        basis: "", acknowledgement: "")
      let step = StepView(
        title: "", old: "", new: "", changes: [change],
        stages: [DocumentedStageView(name: "", kind: "", reasons: [""])],
        routes: [RouteView(from: "", to: "", fallback: "")])
      return DocumentView(
        mark: "", history: [HistoryRowView(version: "", summary: "", changes: "", how: "")],
        steps: [step])
    case .migrationSupport: return SupportView(mark: "", batchSize: 1, tellsKit: true)
    case .migrationTests:
      let release = ReleaseView(
        caseName: "", version: "", schema: "", planTo: "", position: 0, samples: [""],
        sampleNames: [""], counts: [""])
      return TestsFileView(mark: "", plan: "", module: "", releases: [release])
    case .planDescription:
      return PlanDescriptionView(
        mark: "", access: "", plan: "", versions: [""], stages: [""],
        entities: [DescribedEntityView(name: "", lines: [""], isNotFirst: true)])
    case .userMigration:
      let function = UserFunctionView(
        documentation: [""], signature: [""], task: "", isNotFirst: true)
      return UserFileView(
        mark: "", imports: [""], summary: "", name: "", functions: [function])
    case .schema:
      let model = ModelView(
        name: "", documentation: [""], modifier: "", inheritance: "", macros: [""],
        properties: [""], initializer: [""])
      return SchemaFileView(
        mark: "", imports: [""], documentation: [""], access: "", name: "", identifier: "",
        modelList: [""], models: [model], aliases: [""])
    case .valueTypes:
      let enumeration = EnumerationView(
        access: "", name: "", documentation: [""], conformances: "", cases: [""])
      return ValueTypesView(
        mark: "", imports: [""], enumerations: [enumeration], structures: [structure])
    }
  }
}
