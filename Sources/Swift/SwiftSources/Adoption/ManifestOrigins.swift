internal import SchemaModel

/// Where in the sources the lines of adopted manifests come from.
struct ManifestOrigins {
  private let history: [SchemaVersion]

  init(_ history: [SchemaVersion]) { self.history = history }

  /// The finding at its place in the sources, where that is known.
  func traced(_ finding: Diagnostic, in files: [SourceFile]) -> Diagnostic {
    guard let version = version(of: finding, in: files) else { return finding }
    var finding = finding
    finding.location = origin(of: finding, in: files) ?? version.location
    return finding
  }

  /// The finding with its place in the sources beside the one in the manifest.
  func showingSource(_ finding: Diagnostic, in files: [SourceFile]) -> Diagnostic {
    guard let place = origin(of: finding, in: files) else { return finding }
    var finding = finding
    finding.related.append(.init("the class says it here", at: place))
    return finding
  }

  private func version(of finding: Diagnostic, in files: [SourceFile]) -> SchemaVersion? {
    let file = files.first { $0.path == finding.location?.file }
    return history.first { "\($0.number.name).yaml" == file?.name }
  }

  private func origin(of finding: Diagnostic, in files: [SourceFile]) -> SourceLocation? {
    guard let place = finding.location, let version = version(of: finding, in: files),
      let file = files.first(where: { $0.path == place.file })
    else { return nil }
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    return origin(ofLine: place.line, lines, version)
  }

  /// Manifests of ours have a model's name two columns in, and a property's six; a type's name stands two columns in too.
  private func origin(
    ofLine line: Int, _ lines: [Substring], _ version: SchemaVersion
  ) -> SourceLocation? {
    var property: String?
    var isOfModel = false
    for text in lines.prefix(line).reversed() {
      let indent = text.prefix { $0 == " " }.count
      guard let key = text.dropFirst(indent).split(separator: ":").first else { continue }
      // Such as 'unique:', which stands behind the properties.
      if indent == 4, property == nil { isOfModel = true }
      if indent == 6, property == nil, !isOfModel { property = String(key) }
      guard indent == 2 else { continue }
      if let model = version.model(named: String(key)) {
        return property.flatMap { model.property(named: $0)?.location } ?? model.location
      }
      return version.type(named: String(key))?.location
    }
    return nil
  }
}
