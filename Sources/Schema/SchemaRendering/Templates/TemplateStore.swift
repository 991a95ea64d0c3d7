internal import Mustache
package import SchemaModel
internal import SchemaTemplates

extension Rule {
  package static let template = Rule(
    "template", "A template is broken, or names a member that its view does not have",
    basis: .fact(.tooling, "template-engines", .certain))
}

/// The templates of one run: the built-in ones, some of which the user's replace.
package struct TemplateStore: Sendable {
  /// The templates that replace built-in ones, by name: the user's, and templates with qualified hidden names.
  private var replacements: [String: MustacheTemplate]
  package let diagnostics: [Diagnostic]

  package init(overrides: [SourceFile] = []) {
    var replacements: [String: MustacheTemplate] = [:]
    var diagnostics: [Diagnostic] = []
    let overridden = Dictionary(overrides, keyedBy: \.name)
    let known = Set(Self.files.map { $0.templateFile })
    for file in overrides.sorted(by: { $0.path < $1.path }) where !known.contains(file.name) {
      guard file.name.hasSuffix(".mustache") else { continue }
      diagnostics.append(
        Diagnostic(
          .template, "no template is called '\(file.name)'", at: SourceLocation(file: file.path),
          help: Suggestion.help(for: file.name, among: known)))
    }
    for file in Self.files {
      guard let read = overridden[file.templateFile].map({ Self.read($0, as: file) }) else {
        continue
      }
      replacements[file.template] = read.template
      diagnostics += read.diagnostics
    }
    self.replacements = replacements
    self.diagnostics = diagnostics
  }

  private static let files = Renderer.files.sorted {
    $0.template.lowercased() < $1.template.lowercased()
  }

  /// The built-in templates, read on first use, so never in lint. Tests check that the templates name nothing unknown.
  private static let builtIn: [String: MustacheTemplate] = {
    let read = files.map { file in
      let text = String(decoding: SchemaTemplates.sources[file.template] ?? [], as: UTF8.self)
      return (file.template, try? MustacheTemplate(string: text))
    }
    return Dictionary(uniqueKeysWithValues: read).compactMapValues { $0 }
  }()

  /// The templates for a module that hides names of other modules. The user's templates stay as they are.
  func writingOut(_ names: HiddenNames) -> TemplateStore {
    guard !names.isEmpty else { return self }
    var store = self
    for file in Self.files where replacements[file.template] == nil {
      let text = String(decoding: SchemaTemplates.sources[file.template] ?? [], as: UTF8.self)
      store.replacements[file.template] = names.qualified(text).flatMap {
        try? MustacheTemplate(string: $0)
      }
    }
    return store
  }

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

  /// The rendered file, with LF, and with one line break but no blank line at the end.
  func render<File: EmittedFile>(_ file: File) -> String {
    guard let template = replacements[File.template] ?? Self.builtIn[File.template] else {
      return ""
    }
    var text = template.render(file)
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }
}
