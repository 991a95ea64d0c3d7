internal import SchemaEvolution
package import SchemaModel
package import SchemaReporting

/// The steps by which a person adds to production what the versions write, in order.
package struct CloudPlan: Sendable {
  private let folder: CloudFolder
  private let production: CloudExport
  private let findings: [Diagnostic]
  private let isOneOfSeveral: Bool

  package init(
    _ folder: CloudFolder, _ production: CloudExport, _ findings: [Diagnostic],
    isOneOfSeveral: Bool = false
  ) {
    self.folder = folder
    self.production = production
    self.findings = findings
    self.isOneOfSeveral = isOneOfSeveral
  }

  /// What committed exports of production lack for a folder's newest version, as a clause: `lacks 2 fields`. Nil if
  /// they lack nothing, or no export is named.
  static func missing(in path: String, fileSystem: some FileSystem) -> String? {
    guard var folder = try? CloudFolder(path, .newest, fileSystem: fileSystem) else { return nil }
    let productions = folder.productions
    var found: [String] = []
    for production in productions {
      let of = productions.count > 1 ? " (\(production.container ?? production.path))" : ""
      guard
        let export = try? folder.export(
          production.path, of: production.container, fileSystem: fileSystem)
      else { return "cannot be compared: its export cannot be read\(of)" }
      if let shortage = CloudPlan(folder, export, []).shortage { found.append(shortage + of) }
    }
    return found.isEmpty ? nil : found.joined(separator: ", ")
  }

  /// What production lacks, as a clause: `lacks 2 fields and 1 record type`; nil for nothing.
  private var shortage: String? {
    let additions = additions
    let lacksShares = lacksShares
    guard !additions.isEmpty || lacksShares else { return nil }
    let fields = additions.reduce(0) { $0 + $1.type.ownFields.count }
    let types = additions.count(where: \.isNew) + (lacksShares ? 1 : 0)
    let parts = [
      fields > 0 ? counted(fields, "field") : nil, types > 0 ? counted(types, "record type") : nil,
    ].compactMap { $0 }
    return "lacks \(parts.joined(separator: " and "))"
  }

  /// Whether rows are shared and production lacks the record type of shares. Sharing a row creates this type; an import
  /// cannot.
  private var lacksShares: Bool {
    folder.configuration.cloud.isShared
      && production.schema.recordType(named: CloudRecords.shareType) == nil
  }

  private func consequence(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> String {
    if firstVersion(additions) != nil {
      return
        "Until production has these fields, their values do not sync, and users see no error."
    }
    let onlyReceipts = additions.allSatisfy { addition in
      addition.type.ownFields.allSatisfy { $0.name.hasPrefix("CD_moveReceipt") }
    }
    return onlyReceipts
      ? "Until production has these fields, rows cannot be shared, and users see no error."
      : "These fields hold values that are too large for their record (about 700,000 bytes). Until production has the fields, only such values do not sync."
        + (lacksShares ? " Rows cannot be shared either." : "")
  }

  private var additions: [(type: CloudSchema.RecordType, isNew: Bool)] {
    let merged = production.schema.merging(
      folder.versions.map(\.records), folder.configuration.cloud.writtenProfile)
    return merged.recordTypes.compactMap { type in
      var added = type
      added.fields.sort { $0.name < $1.name }
      guard let was = production.schema.recordType(named: type.name) else { return (added, true) }
      added.fields.removeAll { field in was.fields.contains { $0.name == field.name } }
      return added.fields.isEmpty ? nil : (added, false)
    }
  }

  package var document: Document {
    let additions = additions.sorted { $0.type.name < $1.type.name }
    let place = isOneOfSeveral ? " to \(production.name)" : ""
    let title = Block.heading("Deploying \(folder.names)\(place)", level: 1)
    guard let shortage else {
      let verb = folder.versions.count == 1 ? "writes" : "write"
      return [
        title,
        .paragraph(
          "Production has everything that \(folder.names) \(verb). There is nothing to deploy."),
      ]
    }
    let steps = [
      sharing, importing, showing(additions), final(additions), leftOver, order(additions), reading,
    ]
    return [
      title, .paragraph("Production \(shortage). \(consequence(additions))"),
      .list(steps.filter { !$0.isEmpty }, .numbers),
    ]
  }

  // MARK: Steps

  private var sharing: Document {
    guard lacksShares else { return [] }
    return [
      .paragraph(
        "Run the app from Xcode, and share a row with someone. That creates the record type \(code: CloudRecords.shareType) in development. A file cannot create it."
      )
    ]
  }

  private var importing: Document {
    let commands = [
      cktool("export-schema", "development", "--output-file development.ckdb"),
      schemagen("schema", "--into development.ckdb -o development.ckdb", of: folder.options),
      cktool("import-schema", "development", "--validate --file development.ckdb"),
    ]
    return [
      .paragraph(
        "Update the development environment. An import replaces its schema, so the file must also contain what the environment has:"
      ), .code(commands.joined(separator: "\n")),
    ]
  }

  private func showing(_ additions: [(type: CloudSchema.RecordType, isNew: Bool)]) -> Document {
    var lines: [Inline] = additions.map { type, isNew in
      let names = type.ownFields.map { .code($0.name) }.joined(", ")
      return "\(isNew ? "the new record type " : "")\(code: type.name): \(names)"
    }
    if lacksShares { lines.append("the new record type \(code: CloudRecords.shareType)") }
    return [
      .paragraph(
        "In the CloudKit Console choose \"Deploy Schema Changes…\". It must show this, and nothing else:"
      ), .lines(lines, .bullets),
      .paragraph(
        "If the Console shows anything else, someone added that in development, and it would be deployed too, permanently. 'cktool reset-schema' removes it, with all data in development."
      ),
    ]
  }

  private func final(_ additions: [(type: CloudSchema.RecordType, isNew: Bool)]) -> Document {
    guard !additions.isEmpty else { return [] }
    let origins = origins
    let rows: [[Inline]] = additions.flatMap { type, _ in
      type.ownFields.map { field in
        let name = "\(type.name).\(field.name)"
        let of = origins[name]?.map { Inline.code($0) }.joined(", ") ?? "Core Data's own"
        return [.code(name), "\(field.type)", of]
      }
    }
    return [
      .paragraph(
        "Check this before you deploy: names, types and encryption can never be changed afterwards."
      ), .table(Table(["field", "type", "of"], rows)),
    ]
  }

  private var leftOver: Document {
    let left = findings.filter { $0.rule == .cloudLeftOver }
    guard !left.isEmpty else { return [] }
    return [
      .paragraph("These stay in production, although no version writes them:"),
      .lines(left.map(\.message), .bullets),
    ]
  }

  private func order(_ additions: [(type: CloudSchema.RecordType, isNew: Bool)]) -> Document {
    guard let first = firstVersion(additions)?.version.number else {
      return [.paragraph("Deploy at any time. Released apps are not affected.")]
    }
    let isOut = folder.released.contains(first)
    let when =
      isOut
      ? "Deploy now: \(first.name) has shipped, and its values wait on devices until production has the fields for them."
      : "Deploy before you submit \(first.name) to TestFlight or the App Store: both use production."
    return [
      .paragraph("\(when) Released apps are not affected.")
    ]
  }

  /// The first version that writes an added field other than assets and move receipts. Nil if there is none.
  private func firstVersion(
    _ additions: [(type: CloudSchema.RecordType, isNew: Bool)]
  ) -> CloudComparison.Version? {
    let added = Set(
      additions.flatMap { type, _ in type.ownFields.map { "\(type.name).\($0.name)" } })
    return folder.history.first { version in
      version.records.recordTypes.contains { type in
        type.fields.contains { field in
          switch field.role {
          case .values, .bookkeeping: added.contains("\(type.name).\(field.name)")
          case .asset, .moveReceipt: false
          }
        }
      }
    }
  }

  private var reading: Document {
    let path = ShellWord.quoted(production.path)
    let commands = [
      cktool("export-schema", "production", "--output-file \(path)"),
      schemagen("diff", "--production \(path)", of: folder.options),
    ]
    return [
      .paragraph("Export production again. Nothing else confirms that the schema was deployed:"),
      .code(commands.joined(separator: "\n")),
    ]
  }

  // MARK: Words

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
    let container =
      production.container ?? folder.configuration.cloud.container ?? "CONTAINER"
    return
      "xcrun cktool \(command) --team-id TEAM --container-id \(container) --environment \(environment) \(rest)"
  }

  private func schemagen(_ command: String, _ rest: String, of options: String) -> String {
    "schemagen cloud \(command)\(options) \(rest)"
  }
}

extension CloudSchema.RecordType {
  /// The fields that the server did not create.
  fileprivate var ownFields: [CloudSchema.Field] { fields.filter { !$0.name.hasPrefix("___") } }
}
