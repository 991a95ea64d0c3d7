internal import SchemaLint
internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

/// The findings of detection, in the form of the Ritualist Schema Migration Guide.
package struct DetectionReport: Sendable {
  private let detect: Detection
  private let findings: [Diagnostic]

  package init(_ detect: Detection) {
    self.detect = detect
    findings = detect.findings.filter { $0.severity > .note }
  }

  private static let parts: [(rule: Rule, title: String, sign: String)] = [
    (.adoptedSource, "ADOPTED CODE IS STILL THERE", "♻️ "),
    (.newModel, "NEW MODELS DETECTED", "➕"),
    (.removedModel, "MODELS ARE GONE", "➖"),
    (.modelDiffers, "MODELS HAVE CHANGED", "✏️ "),
    (.unlistedModel, "MODELS MISSING FROM THEIR VERSION", "❓"),
    (.editedGeneratedFile, "GENERATED FILES DO NOT MATCH", "📝"),
  ]

  package var document: Document {
    var lines = ["🔍 [Schema Detection] Checking for model changes requiring new migration..."]
    for (rule, title, sign) in Self.parts {
      let names = findings.filter { $0.rule == rule }.flatMap { finding in
        let files = ([finding.location] + finding.related.map(\.location)).compactMap { $0?.file }
        let isOfFiles = [.adoptedSource, .editedGeneratedFile].contains(rule) && !files.isEmpty
        return isOfFiles ? files : [finding.element ?? files.first ?? ""]
      }
      guard !names.isEmpty else { continue }
      lines.append("🚨 [Schema Detection] \(title):")
      lines += Set(names).sorted().map { "   \(sign) \($0)" }
    }
    if detect.isMalformed {
      lines.append(
        "🚨 [Schema Detection] NOT COMPARED WITH EVERYTHING: correct the errors below first")
    } else if lines.count == 1 {
      lines.append("✅ [Schema Detection] Models match latest schema - no migration needed")
    }
    let (action, severalSchemas) = (action, detect.schemas.count > 1)
    if let action { lines.append("🎯 ACTION REQUIRED: \(action)") }
    lines += detect.schemas.map { schema in
      "📋 [Schema Detection] Current schema version: \(schema.version.name)"
        + (severalSchemas ? " (\(schema.folder))" : "")
    }
    if action != nil { lines.append("📖 [Schema Detection] Need help? schemagen explain RULE") }
    return [.lines(lines)]
  }

  package var headline: String {
    let files = counted(detect.count, "Swift file")
    return "🔍 [Schema Detection] Complete: \(files), nothing to do"
  }

  private var action: String? {
    guard let first = detect.schemas.first else { return nil }
    // Duplicate code must be removed first. Only then do other tasks become visible.
    if let left = findings.first(where: { $0.rule == .adoptedSource }) {
      let way = left.help.first?.split(separator: ": ").last.map { ": \($0)" } ?? ""
      return "Remove the code that is generated now\(way)"
    }
    let rules: [Rule] = [.newModel, .removedModel, .modelDiffers, .unlistedModel]
    if findings.contains(where: { rules.contains($0.rule) }) {
      return first.keepsClasses
        ? "Take a snapshot of the classes: schemagen snapshot"
        : first.isReleased
          ? "Add to new schema version: schemagen new-version"
          : "Add to \(first.version.name).yaml, which has not shipped yet"
    }
    return findings.contains { $0.rule == .editedGeneratedFile }
      ? "Run schemagen generate; changes belong in manifests" : nil
  }
}
