internal import SchemaModel

/// Where in the sources the lines of adopted manifests come from.
struct ManifestOrigins {
  private let history: [SchemaVersion]

  init(_ history: [SchemaVersion]) { self.history = history }

  /// The finding at its place in the sources, where that is known.
  func traced(_ finding: Diagnostic, in files: [SourceFile]) -> Diagnostic {
    guard let place = finding.location,
      let file = files.first(where: { $0.path == place.file }),
      let version = history.first(where: { "\($0.number.name).yaml" == file.name })
    else { return finding }
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    var finding = finding
    finding.location = origin(ofLine: place.line, lines, version) ?? version.location
    return finding
  }

  /// Manifests of ours have a model's name two columns in, and a property's six; a type's name stands two columns in too.
  private func origin(
    ofLine line: Int, _ lines: [Substring], _ version: SchemaVersion
  ) -> SourceLocation? {
    var property: String?
    for text in lines.prefix(line).reversed() {
      let indent = text.prefix { $0 == " " }.count
      guard let key = text.dropFirst(indent).split(separator: ":").first else { continue }
      if indent == 6, property == nil { property = String(key) }
      guard indent == 2 else { continue }
      if let model = version.model(named: String(key)) {
        return property.flatMap { model.property(named: $0)?.location } ?? model.location
      }
      return version.type(named: String(key))?.location
    }
    return nil
  }
}
