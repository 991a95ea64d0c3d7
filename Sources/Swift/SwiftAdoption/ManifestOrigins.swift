internal import SchemaModel

/// Finds the places in the sources from which adopted manifests were made.
struct ManifestOrigins {
  let history: [SchemaVersion]

  func traced(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    finding.location = origin(of: finding) ?? version(of: finding)?.location ?? finding.location
    return finding
  }

  func showingSource(_ finding: Diagnostic) -> Diagnostic {
    guard let place = origin(of: finding) else { return finding }
    var finding = finding
    finding.related.append(.init("the declaration in Swift is here", at: place))
    return finding
  }

  private func version(of finding: Diagnostic) -> SchemaVersion? {
    history.first { finding.location?.file.hasSuffix("/\($0.number.name).yaml") ?? false }
  }

  private func origin(of finding: Diagnostic) -> SourceLocation? {
    guard let element = finding.element.map(ElementPath.init(parsing:)),
      let version = version(of: finding)
    else { return nil }
    let model = version.model(named: element.owner)
    return element.member.flatMap { model?.property(named: $0)?.location } ?? model?.location
      ?? version.type(named: element.owner)?.location
  }
}
