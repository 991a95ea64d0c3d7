internal import SchemaManifest
package import SchemaModel

/// A manifest in its printed form, compared with the manifest that was read.
package enum PrintedManifest {
  /// The problems; empty if there are none, and nil if the file cannot be read.
  package static func problems(of file: SourceFile) -> [String]? {
    let (read, diagnostics) = ManifestReader().read(file)
    guard var version = read, !diagnostics.hasErrors, let text = ManifestText.formatted(file) else {
      return nil
    }
    let printed = SourceFile(path: file.path, text: text)
    let (again, found) = ManifestReader().read(printed)
    guard let again else { return ["it cannot be read again: \(found.map(\.message))"] }
    var problems = found.filter { $0.severity == .error }.map { "an error: \($0.message)" }
    func accepted(_ version: SchemaVersion) -> [String] {
      version.acceptances.map {
        "\($0.rule.value) \($0.until?.value.description ?? "") \($0.reason.manifestLine)"
      }.sorted()
    }
    // Acceptances in comments become entries.
    if accepted(version) != accepted(again) { problems.append("it accepts something else") }
    version.acceptances = again.acceptances
    if version != again { problems.append("it says something else") }
    let (before, after) = (comments(in: file), comments(in: printed))
    if before != after { problems.append("it has other comments: \(before), and \(after)") }
    if ManifestText.formatted(printed) != text { problems.append("it is printed otherwise then") }
    return problems
  }

  private static func comments(in file: SourceFile) -> [String] {
    YAMLComments.beginning(with: "", in: file).map(\.text).filter {
      !$0.hasPrefix(AcceptanceComment.word)
    }.map { $0.manifestLines.joined(separator: "\n") }.sorted()
  }
}
