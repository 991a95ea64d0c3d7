internal import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// What a person does, in order, so that production has what versions write.
package struct CloudPlan: Sendable {
  private let folder: CloudFolder
  private let production: CloudExport
  private let findings: [Diagnostic]

  /// - Parameter findings: What the comparison with production found.
  package init(_ folder: CloudFolder, _ production: CloudExport, _ findings: [Diagnostic]) {
    self.folder = folder
    self.production = production
    self.findings = findings
  }

  /// What the committed export of production lacks of what a folder's newest version writes, as a clause: `lacks 2
  /// fields`. Nil where it lacks nothing, and where no export is named.
  static func missing(in path: String, fileSystem: some FileSystem) -> String? {
    guard var folder = try? CloudFolder(path, .newest, fileSystem: fileSystem),
      let production = folder.production
    else { return nil }
    guard let export = try? folder.export(production, fileSystem: fileSystem) else {
      return "cannot be compared: its export cannot be read"
    }
    return CloudPlan(folder, export, []).shortage
  }

  /// What production lacks, as a clause: `lacks 2 fields and 1 record type`; nil where it lacks nothing.
  private var shortage: String? {
    let additions = additions
    guard !additions.isEmpty else { return nil }
    let fields = additions.reduce(0) { $0 + $1.type.ownFields.count }
    let types = additions.count(where: \.isNew)
    return "lacks \(counted(fields, "field"))"
      + (types > 0 ? " and \(counted(types, "record type"))" : "")
  }

  /// What the deployment adds, type by type.
  private var additions: [(type: CloudSchema.RecordType, isNew: Bool)] {
    let merged = production.schema.merging(
      folder.versions.map(\.records), folder.configuration.cloud.profile)
    return merged.recordTypes.compactMap { type in
      guard let was = production.schema.recordType(named: type.name) else { return (type, true) }
      var added = type
      added.fields.removeAll { field in was.fields.contains { $0.name == field.name } }
      return added.fields.isEmpty ? nil : (added, false)
    }
  }

  /// The plan as Markdown, which reads as text as well.
  package var text: String {
    let additions = additions.sorted { $0.type.name < $1.type.name }
    var lines = ["# Deploying \(folder.names)", ""]
    guard let shortage else {
      lines.append(
        "Production has everything that \(folder.names) writes. There is nothing to deploy.")
      return lines.map { $0 + "\n" }.joined()
    }
    lines += [
      "Production \(shortage). Until it has them, what is written there does not sync, and no error reaches your users.",
      "",
    ]
    for (number, step) in steps(additions).enumerated() {
      lines.append("\(number + 1). " + step[0])
      lines += step.dropFirst().map { $0.isEmpty ? "" : "   " + $0 }
      lines.append("")
    }
    return lines.dropLast().map { $0 + "\n" }.joined()
  }

  // MARK: Steps

  private func steps(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> [[String]] {
    [importing, showing(additions), final(additions), leftOver, order(additions), reading]
      .filter { !$0.isEmpty }
  }

  private var importing: [String] {
    [
      "Bring the development environment up to it. An import replaces the schema there, so what is there goes into the file:",
      "",
      "```sh",
      cktool("export-schema", "development", "--output-file development.ckdb"),
      schemagen("schema", "--into development.ckdb -o development.ckdb"),
      cktool("import-schema", "development", "--validate --file development.ckdb"),
      "```",
    ]
  }

  private func showing(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> [String] {
    var lines = [
      "In the CloudKit Console choose \"Deploy Schema Changes…\". It is to show this, and nothing else:",
      "",
    ]
    for (type, isNew) in additions {
      let names = type.ownFields.map { "`\($0.name)`" }.joined(separator: ", ")
      lines.append("- \(isNew ? "the new record type " : "")`\(type.name)`: \(names)")
    }
    lines += [
      "",
      "What else it shows, somebody has made in development. It would be deployed too, for good: 'cktool reset-schema' takes it away, with all data in development.",
    ]
    return lines
  }

  private func final(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> [String] {
    var lines = [
      "Read this aloud before you deploy: no name, no type and no encryption can ever be changed again.",
      "",
      "| field | type | of |", "|---|---|---|",
    ]
    let origins = origins
    for (type, _) in additions {
      for field in type.ownFields {
        let of = origins["\(type.name).\(field.name)"]?.map { "`\($0)`" }.joined(separator: ", ")
        lines.append(
          "| `\(type.name).\(field.name)` | \(field.type) | \(of ?? "Core Data's own") |")
      }
    }
    return lines
  }

  private var leftOver: [String] {
    let left = findings.filter { $0.rule == .cloudLeftOver }
    guard !left.isEmpty else { return [] }
    return ["These stay in production, and no app writes them:", ""]
      + left.map { "- \($0.message)" }
  }

  private func order(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> [String] {
    let added = Set(
      additions.flatMap { type, _ in type.ownFields.map { "\(type.name).\($0.name)" } })
    let first = folder.history.first { version in
      version.records.recordTypes.contains { type in
        type.fields.contains {
          $0.role != .moveReceipt && added.contains("\(type.name).\($0.name)")
        }
      }
    }
    let number = (first ?? folder.versions[0]).version.number.name
    return [
      "Deploy before \(number) leaves Xcode: TestFlight and the App Store use production. An app that is out already loses nothing by it."
    ]
  }

  private var reading: [String] {
    [
      "Read production back. Nothing else says that it was deployed:",
      "",
      "```sh",
      cktool("export-schema", "production", "--output-file \(ShellWord.quoted(production.path))"),
      schemagen("diff", "--production \(ShellWord.quoted(production.path))"),
      "```",
    ]
  }

  // MARK: Words

  /// The properties that fields are for, by type and field.
  private var origins: [String: [String]] {
    var found: [String: [String]] = [:]
    for version in folder.versions {
      for type in version.records.recordTypes {
        for field in type.fields where !field.properties.isEmpty {
          found["\(type.name).\(field.name)"] = field.properties.map(\.description)
        }
      }
    }
    return found
  }

  private func cktool(_ command: String, _ environment: String, _ rest: String) -> String {
    let container = folder.configuration.cloud.container ?? "CONTAINER"
    return
      "xcrun cktool \(command) --team-id TEAM --container-id \(container) --environment \(environment) \(rest)"
  }

  private func schemagen(_ command: String, _ rest: String) -> String {
    let schemas = folder.path == "Schemas" ? "" : " --schemas \(ShellWord.quoted(folder.path))"
    let newest = folder.versions[folder.versions.count - 1].version.number
    let version =
      newest == folder.history.last?.version.number ? "" : " --version \(newest.name)"
    return "schemagen cloud \(command)\(schemas)\(version) \(rest)"
  }
}

extension CloudSchema.RecordType {
  /// Those that are not the server's own.
  fileprivate var ownFields: [CloudSchema.Field] { fields.filter { !$0.name.hasPrefix("___") } }
}
