/// A kind of file that schemagen emits; a value is one such file, as its template reads it.
///
/// Each has a file of its own, and a line in `Renderer.files`.
protocol EmittedFile: TemplateView {
  /// The template's name: `Schema` for `Templates/Schema.mustache`.
  static var template: String { get }
  static var kind: GeneratedFile.Kind { get }
  /// The path below the folder of its kind.
  var path: String { get }
  /// One for each possible file; they run in parallel. A maker returns nil if there is nothing to write.
  static func makers(_ input: RenderingInput) -> [Maker]
  /// The declarations of the files in the app's module, to find duplicate names.
  static func declarations(_ input: RenderingInput) -> [Declaration]
}

extension EmittedFile {
  typealias Maker = @Sendable () -> Self?

  static var kind: GeneratedFile.Kind { .generated }
  static var templateFile: String { template + ".mustache" }
  static func declarations(_ input: RenderingInput) -> [Declaration] { [] }
}
