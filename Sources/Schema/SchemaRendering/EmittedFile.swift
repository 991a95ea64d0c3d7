/// A kind of file that schemagen emits. A value is one file of the kind, with the data for its template.
///
/// Each kind has a source file, and a line in `Renderer.files`.
protocol EmittedFile: TemplateView {
  static var template: String { get }
  static var kind: GeneratedFile.Kind { get }
  /// The path below the folder of its kind.
  var path: String { get }
  /// One maker for each possible file. Makers run in parallel, and return nil if there is nothing to write.
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
