/// A kind of file that schemagen emits; a value is one such file, as its template reads it.
///
/// Each has a file of its own, and a line in `Renderer.files`.
protocol EmittedFile: TemplateView {
  /// The template's name: `Schema` of `Templates/Schema.mustache`.
  static var template: String { get }
  static var kind: GeneratedFile.Kind { get }
  /// The path below the folder of its kind.
  var path: String { get }
  /// One for each file that an evolution may give; they are made side by side. Nil where there is nothing to write.
  static func makers(_ input: RenderingInput) -> [Maker]
  /// What the files declare in the app's module, so that two of one name are found.
  static func declarations(_ input: RenderingInput) -> [Declaration]
}

extension EmittedFile {
  typealias Maker = @Sendable () -> Self?

  static var kind: GeneratedFile.Kind { .generated }
  static var templateFile: String { template + ".mustache" }
  static func declarations(_ input: RenderingInput) -> [Declaration] { [] }
}
