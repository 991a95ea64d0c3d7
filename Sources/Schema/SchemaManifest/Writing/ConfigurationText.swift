package import SchemaModel

/// Writes `schemagen.yaml` with everything that differs from the defaults.
package struct ConfigurationText: Sendable {
  private let configuration: Configuration
  private let header: [String]

  /// - Parameter header: Comments at the top, without `#`.
  package init(_ configuration: Configuration, header: [String] = []) {
    self.configuration = configuration
    self.header = header
  }

  /// The file's text; empty if it would have neither a header nor any key.
  package var text: String {
    var layout = ManifestLayout()
    layout.add(comments: header)
    layout.add(Configuration.fields.entries(of: configuration))
    return layout.text
  }
}
