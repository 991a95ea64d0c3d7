internal import Mustache
package import SchemaModel
internal import SchemaTemplates

extension Rule {
  package static let template = Rule(
    "template", "A template is broken, or names a member that its view does not have",
    basis: .fact(.tooling, "template-engines", .certain))
}

/// The templates of one run: the built-in ones, some of them replaced by the user's.
package struct TemplateStore: Sendable {
  private let templates: [String: MustacheTemplate]
  package let diagnostics: [Diagnostic]

  /// - Parameter overrides: Files of the user's templates folder.
  package init(overrides: [SourceFile] = []) {
    var templates: [String: MustacheTemplate] = [:]
    var diagnostics: [Diagnostic] = []
    let replacements = Dictionary(overrides, keyedBy: \.name)
    let known = Set(Self.files.map { $0.templateFile })
    for file in overrides.sorted(by: { $0.path < $1.path }) where !known.contains(file.name) {
      guard file.name.hasSuffix(".mustache") else { continue }
      diagnostics.append(
        Diagnostic(
          .template, "no template is called '\(file.name)'", at: SourceLocation(file: file.path),
          help: Suggestion.help(for: file.name, among: known)))
    }
    for file in Self.files {
      let read =
        replacements[file.templateFile].map { Self.read($0, as: file) }
        ?? Self.builtIn[file.template]
      templates[file.template] = read?.template
      diagnostics += read?.diagnostics ?? []
    }
    self.templates = templates
    self.diagnostics = diagnostics
  }

  /// What is emitted, in the order of the templates' names.
  private static let files = Renderer.files.sorted {
    $0.template.lowercased() < $1.template.lowercased()
  }

  /// The built-in templates, read on first use: most runs of lint use none.
  private static let builtIn = Dictionary(
    uniqueKeysWithValues: files.map { file in
      let bytes = SchemaTemplates.sources[file.template] ?? []
      return (file.template, read(SourceFile(path: file.templateFile, bytes: bytes), as: file))
    })

  private static func read(
    _ file: SourceFile, as view: any TemplateView.Type
  ) -> (template: MustacheTemplate?, diagnostics: [Diagnostic]) {
    let found = TemplateCheck(file: file, view: view).diagnostics()
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
    files.flatMap { (SchemaTemplates.sources[$0.template] ?? []) + [0] }
  }

  /// The file that a template makes of its view model: LF, no blank line at the end but a line break.
  func render<File: EmittedFile>(_ file: File) -> String {
    guard let template = templates[File.template] else { return "" }
    var text = template.render(file)
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }
}
