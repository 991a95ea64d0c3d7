internal import SchemaEvolution
package import SchemaManifest
package import SchemaModel

/// A safe fix, which removes the cause of a finding and preserves the author's meaning.
package struct Fix: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case edit(YAMLEdit)
    case rename(to: String)
    /// Removes a comment, and the line if nothing else is on it.
    case removeComment(SourceLocation)
  }

  /// What the fix does, in the imperative: `remove 'deleteRule'`.
  package var title: String
  package var file: String
  package var changes: [Change]

  package init(_ title: String, in file: String, _ changes: [Change]) {
    self.title = title
    self.file = file
    self.changes = changes
  }

  package init(_ title: String, in file: String, _ edits: YAMLEdit...) {
    self.init(title, in: file, edits.map(Change.edit))
  }
}

/// The data from which fixes are made.
package struct FixContext: Sendable {
  /// Nil if manifests have errors.
  package let context: LintContext?
  /// The YAML of the file with the finding; nil if it cannot be read.
  package let document: YAMLNode?
  private let paths: YAMLPlaces

  package init(_ context: LintContext?, document: YAMLNode?) {
    self.context = context
    self.document = document
    paths = YAMLPlaces(document)
  }

  package func path(of finding: Diagnostic) -> YAMLPath? { finding.location.flatMap(paths.path) }

  /// Prints the finding's manifest in canonical form; nil if manifests have errors, since the manifest is then not read
  /// completely.
  package func printing(_ finding: Diagnostic, _ title: String) -> Fix? {
    context == nil ? nil : finding.location.map { Fix(title, in: $0.file, []) }
  }

  package func removal(_ finding: Diagnostic, _ title: String) -> Fix? {
    guard let path = path(of: finding), let file = finding.location?.file else { return nil }
    return Fix(title, in: file, .remove(path))
  }

  /// Removes keys from the property that a finding is about. If the property has none of the keys, they are removed
  /// from the innermost mapping around the finding that has one.
  package func removal(of keys: [String], _ finding: Diagnostic, _ title: String) -> Fix? {
    guard let file = finding.location?.file, let holder = holder(of: keys, finding) else {
      return nil
    }
    let paths = keys.map { holder.appending(.key($0)) }.filter { document?.node(at: $0) != nil }
    return Fix(title, in: file, paths.map { Fix.Change.edit(.remove($0)) })
  }

  private func holder(of keys: [String], _ finding: Diagnostic) -> YAMLPath? {
    func hasAny(_ path: YAMLPath) -> Bool {
      guard let node = document?.node(at: path) else { return false }
      return keys.contains { node.entry($0) != nil }
    }
    // A place inside quotes is not the beginning of a node, so the element's name is used to find it.
    if let property = finding.path.flatMap(YAMLPath.init(property:)), hasAny(property) {
      return property
    }
    var path = self.path(of: finding)
    while let current = path {
      if hasAny(current) { return current }
      path = current.parent
    }
    return nil
  }

  /// The property that a finding is about, as in its manifest, and the name of its model; nil if the finding is about
  /// something else, or if manifests have errors.
  package func property(of finding: Diagnostic) -> (model: String, property: Property)? {
    guard let path = finding.path, let file = finding.location?.file,
      let version = context?.history.first(where: { $0.location?.file == file }),
      let property = version.property(at: path)
    else { return nil }
    return (path.owner, property)
  }

  package func replacement(
    of path: YAMLPath, with text: String, _ finding: Diagnostic, _ title: String
  ) -> Fix? {
    guard let file = finding.location?.file, document?.node(at: path) != nil else { return nil }
    return Fix(title, in: file, .set(path, to: text))
  }

  package func adding(
    _ keys: [(key: String, value: String)], to property: Property, of model: String,
    _ finding: Diagnostic, _ title: String
  ) -> Fix? {
    let whole = ManifestEdit.property(property, adding: keys)
    return replacement(
      of: YAMLPath(of: ElementPath(model, property.name)),
      with: String(whole.dropFirst(property.name.count + 2)), finding, title)
  }
}

extension YAMLPath {
  /// The path to a property in its manifest; nil for a model or a type as a whole.
  init?(property path: ElementPath) {
    guard path.member != nil else { return nil }
    self.init(of: path)
  }
}
