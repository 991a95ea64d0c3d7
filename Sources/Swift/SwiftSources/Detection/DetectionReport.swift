internal import SchemaLint
internal import SchemaModel
internal import SchemaReporting
internal import SchemaWorkspace

/// What detection found, as the Ritualist Schema Migration Guide shows it.
package struct DetectionReport: Sendable {
  private let detect: Detection
  /// Whether signs and colours can be shown: on a terminal.
  private let isRich: Bool

  package init(_ detect: Detection, isRich: Bool) {
    self.detect = detect
    self.isRich = isRich
  }

  private struct Part {
    var rule: Rule
    var title: String
    var sign: String
    var plainSign: String
  }

  private static let parts = [
    Part(
      rule: .adoptedSource, title: "ADOPTED CODE IS STILL THERE", sign: "♻️ ", plainSign: "="),
    Part(rule: .newModel, title: "NEW MODELS DETECTED", sign: "➕", plainSign: "+"),
    Part(rule: .removedModel, title: "MODELS ARE GONE", sign: "➖", plainSign: "-"),
    Part(rule: .modelDiffers, title: "MODELS HAVE CHANGED", sign: "✏️ ", plainSign: "~"),
    Part(
      rule: .unlistedModel, title: "MODELS MISSING FROM THEIR VERSION", sign: "❓", plainSign: "?"),
    Part(
      rule: .editedGeneratedFile, title: "GENERATED FILES DO NOT MATCH", sign: "📝",
      plainSign: "!"),
  ]

  package var text: String {
    var lines = [line("🔍", "Checking for model changes requiring new migration...")]
    for part in Self.parts {
      let names = detect.findings.filter { $0.rule == part.rule && $0.severity > .note }
        .flatMap { finding in
          let locations = [finding.location] + finding.related.map(\.location)
          let names =
            finding.rule == .adoptedSource
            ? locations.map { $0?.file } : [finding.element ?? finding.location?.file]
          return names.compactMap(\.self)
        }
      guard !names.isEmpty else { continue }
      lines.append(line("🚨", part.title + ":"))
      lines += Set(names).sorted().map { "   \(isRich ? part.sign : part.plainSign) \($0)" }
    }
    if lines.count == 1, !detect.isMalformed {
      lines.append(line("✅", "Models match latest schema - no migration needed"))
    }
    if detect.isMalformed {
      lines.append(line("🚨", "NOT COMPARED WITH EVERYTHING: correct the errors below first"))
    }
    for (schema, action) in actions {
      lines.append((isRich ? "🎯 " : "") + "ACTION REQUIRED: \(action)\(of(schema))")
    }
    for schema in detect.schemas {
      lines.append(line("📋", "Current schema version: \(schema.version.name)\(of(schema))"))
    }
    if !actions.isEmpty {
      lines.append(line("📖", "Need help? schemagen explain RULE"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The summary where there are no findings.
  package var headline: String {
    let files = counted(detect.count, "Swift file")
    return line("🔍", "Complete: \(files), nothing to do")
  }

  private func line(_ sign: String, _ text: String) -> String {
    (isRich ? sign + " " : "") + "[Schema Detection] " + text
  }

  /// Which schema is meant, where there are several.
  private func of(_ schema: Detection.Schema) -> String {
    detect.schemas.count > 1 ? " (\(schema.folder))" : ""
  }

  /// What has to be done, for the schemas in which something has.
  private var actions: [(Detection.Schema, String)] {
    let counted = detect.findings.filter { $0.severity > .note }
    let modelRules: Set<Rule> = [.newModel, .removedModel, .modelDiffers, .unlistedModel]
    guard let first = detect.schemas.first else { return [] }
    // First the code has to be there once: what else is to be done shows then.
    if let left = counted.first(where: { $0.rule == .adoptedSource }) {
      let action = left.help.first.map { ": \($0.split(separator: ": ").last ?? "")" } ?? ""
      return [(first, "Remove the code that is generated now\(action)")]
    }
    if counted.contains(where: { modelRules.contains($0.rule) }) {
      return [
        (
          first,
          first.keepsClasses
            ? "Take a snapshot of the classes: schemagen snapshot"
            : first.isReleased
              ? "Add to new schema version: schemagen new-version"
              : "Add to \(first.version.name).yaml, which has not shipped yet"
        )
      ]
    }
    return counted.contains { $0.rule == .editedGeneratedFile }
      ? [(first, "Run schemagen generate; changes belong in manifests")] : []
  }
}
