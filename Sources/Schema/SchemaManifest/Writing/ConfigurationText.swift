package import SchemaModel

/// Writes `schemagen.yaml`: what differs from the defaults, and nothing else.
package struct ConfigurationText: Sendable {
  private let configuration: Configuration
  private let header: [String]

  /// - Parameter header: Comments at the top, without their `#`.
  package init(_ configuration: Configuration, header: [String] = []) {
    self.configuration = configuration
    self.header = header
  }

  /// The file's text; empty where there is neither a header nor anything to say.
  package var text: String {
    var layout = ManifestLayout()
    layout.add(comments: header)
    layout.add(Configuration.fields.entries(of: configuration))
    return layout.text
  }
}
