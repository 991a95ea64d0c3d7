internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

extension HistoryReport {
  package var page: String {
    let newest = evolution.history[versions.upperBound]
    var sections: [(id: String, name: String, content: Document)] = [
      ("versions", "Versions", train), ("models", "Models", models),
      ("properties", "Properties", properties),
    ]
    if !steps.isEmpty { sections.append(("steps", "Steps", stepSections)) }
    if evolution.configuration.cloudKit == .private {
      sections.append(("cloud", "In the cloud", cloud))
    }
    if !findings.isEmpty {
      let findings = findings.sorted { $0.severity > $1.severity }
      sections.append(("findings", "Findings", [.findings(findings)]))
    }
    let links = sections.map { "<a href=\"#\($0.id)\">\($0.name)</a>" }.joined()
    let body = sections.map { id, name, content in
      "<section id=\"\(id)\"><h2>\(name)</h2>\n\(content.html)</section>\n"
    }.joined()
    let models = counted(newest.models.count, "model")
    let summary: Inline =
      "\(counted(versions.count, "version")), \(models) in \(newest.number.name). \(verdict)"
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(XMLText.text(title)): schema history</title>
      <style>\(Self.style)</style></head><body>
      <header><h1>\(XMLText.text(title))</h1>
      <p>\(summary.html)</p>
      <nav aria-label="Sections">\(links)</nav></header>
      <main>\(body)</main>
      <footer class="faint"><p>Made by <code>schemagen report</code>.</p></footer>
      <script>\(Self.script)</script></body></html>

      """
  }

  private static var style: String { String(decoding: PackageResources.report_css, as: UTF8.self) }
  private static var script: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

  private func name(_ version: Int) -> String { evolution.history[version].number.name }

  private var verdict: Inline {
    let errors = findings.count { $0.severity == .error }
    if errors > 0 { return "\("\(counted(errors, "error"))", .bad)" }
    let changes = steps.flatMap(\.changes)
    let risky = changes.count { $0.effect == .atRisk }
    let dropped = changes.count { $0.effect == .dropped }
    if risky > 0 { return "\("\(counted(risky, "change")) with data at risk", .bad)" }
    return dropped > 0
      ? "\("\(counted(dropped, "change")) that drop\(dropped == 1 ? "s" : "") data", .warning)"
      : "\("no change drops data", .good)"
  }

  // MARK: Versions

  private var train: Document {
    let entries = Dictionary(lock.entries, keyedBy: \.version)
    let rows: [[Inline]] = versions.map { index in
      let version = evolution.history[index]
      let entry = entries[version.number]
      var state: [Inline] = [
        entry?.state == .released ? "\("shipped", .good)" : "\("draft", .faint)"
      ]
      if let releases = releases[version.number.name] { state.append("in \(releases)") }
      if evolution.configuration.isRetired(version.number) {
        let stores = survey.map {
          ": \($0.count(of: version.number.name)) of \(counted($0.total, "surveyed store"))"
        }
        state.append("\("retired\(stores ?? "")", .warning)")
      }
      if let hashes = entry?.hashes {
        state.append(
          hashes.checksum.map {
            "checksum \(code: $0.prefix(8))…\(hashes.isProven ? ", proven by a store" : "")"
          } ?? "no checksum: the hash of \(hashes.uncertain.joined(separator: ", ")) is not certain"
        )
      }
      let isFirst = index == versions.lowerBound
      let page = isFirst ? "#models" : "#step-" + version.number.name
      return [
        "\("\(version.number.name)", to: page)", "\(version.summary ?? "")", state.lines,
        isFirst ? "" : stage(evolution.steps[index - 1]),
      ]
    }
    return [.table(Table(["Version", "About", "State", "How stores get there"], rows))]
  }

  private func stage(_ step: VersionStep) -> Inline {
    let names: [Inline] = step.stages.count > 1 ? step.stages.map { .code($0.name(in: step)) } : []
    return (["\(evolution.kind(of: step))"] + names).lines
  }

  // MARK: Models

  /// The diagrams of all versions. A script in the page shows one at a time.
  private var models: Document {
    let diagram = EntityDiagram(tracks: tracks, versions: versions)
    guard !diagram.boxes.isEmpty else { return [.paragraph("No version has a model.")] }
    let names = versions.map(name).joined(separator: " ")
    let last = versions.upperBound
    return [
      .picture(
        """
        <div class="bar" hidden><label for="version">Version</label>
        <input id="version" type="range" min="\(versions.lowerBound)" max="\(last)" value="\(last)" step="1" \
        data-names="\(XMLText.text(names))"></div>
        <figure>
        \(diagram.html)\
        <figcaption><span id="shown" aria-live="polite">\(XMLText.text(name(last)))</span><br>Green: new. Yellow: \
        changed. Red and struck out: removed. Blue: relationships, with their delete rule unless it is nullify, and ↔ \
        their inverse.</figcaption></figure>

        """)
    ]
  }

  // MARK: Properties

  private var properties: Document {
    var document: Document = []
    for track in tracks {
      guard let model = versions.compactMap({ track.forms[$0] }).last else { continue }
      var rows: [[Inline]] = []
      var still: [Inline] = []
      for property in track.properties {
        guard let name = versions.compactMap({ property.forms[$0]?.name }).last else { continue }
        let lines = lines(property, track)
        if lines.count > 1 {
          rows.append([.code(name), lines.lines])
        } else {
          still.append(.code(name))
        }
      }
      guard !rows.isEmpty else { continue }
      let rest: Document =
        still.isEmpty ? [] : [.paragraph("\("Never changed:", .faint) \(still.joined(", "))")]
      let count = rows.count == 1 ? "1 property" : "\(rows.count) properties"
      document.append(
        .folded(
          "\("\(model.name)", .strong) \("\(count)", .faint)",
          [.table(Table(["Property", "Its versions"], rows))] + rest, isOpen: document.isEmpty))
    }
    return document.isEmpty ? [.paragraph("No property changes in these versions.")] : document
  }

  /// The property in the first version that has it, and in each version that changes it or its values.
  private func lines(_ property: PropertyTrack, _ track: ModelTrack) -> [Inline] {
    versions.compactMap { index in
      let form = property.forms[index].map(Self.form)
      let before = index == versions.lowerBound ? nil : property.forms[index - 1].map(Self.form)
      let shown: Inline = form.map { .code($0) } ?? "–"
      guard index > versions.lowerBound, track.forms[index - 1] != nil else {
        return form == nil ? nil : "\(name(index)): \(shown)"
      }
      let turns = turns(property, track, at: index)
      guard form != before || !turns.isEmpty else { return nil }
      let word: Inline =
        form == nil
        ? "\("gone", .bad)" : before == nil ? "\("new", .good)" : "\("changed", .warning)"
      let note = note(property, track, turns, at: index)
      return "\(name(index)): \(word) \(shown)\(note.isEmpty ? "" : ": \(note)")"
    }
  }

  /// The changes to a property's values in a version: a conversion, or another raw value of a stored enum. Empty if the
  /// version adds or removes the property.
  private func turns(_ property: PropertyTrack, _ track: ModelTrack, at version: Int)
    -> [SchemaChange]
  {
    guard property.forms[version - 1] != nil,
      let form = property.forms[version], let model = track.forms[version]
    else { return [] }
    let turns = turnsOfSteps[version - 1 - versions.lowerBound]
    return turns.of(ElementPath(model.name, form.name), form.attribute?.type)
  }

  private static func form(_ property: Property) -> String {
    "\(property.name): \(property.type)" + (property.isTransient ? ", transient" : "")
  }

  private func note(
    _ property: PropertyTrack, _ track: ModelTrack, _ turns: [SchemaChange], at version: Int
  ) -> String {
    let step = evolution.steps[version - 1]
    let elements = [version, version - 1].compactMap { version in
      property.forms[version].flatMap { form in
        track.forms[version].map { ElementPath($0.name, form.name) }
      }
    }
    guard let element = elements.first else { return "" }
    var words = step.changes.filter { elements.contains($0.element) }.map(\.classification.title)
    for route in step.routes {
      if route.to == element, case .value(let value)? = route.fallback {
        words.append(route.from == nil ? "old rows get \(value)" : "by \(value)")
      }
      if route.from == element, route.to == nil, case .dropped(let why)? = route.fallback {
        words.append("dropped: \(why.text)")
      }
    }
    words += turns.filter { !elements.contains($0.element) }
      .map { "\($0.element): \($0.classification.title)" }
    return words.joined(separator: "; ")
  }

  // MARK: Steps

  private var stepSections: Document {
    let steps = DiffReport(evolution, steps, measurements: measurements).steps
    return steps.enumerated().reversed().map { place, step in
      let counts: [Inline] = DataEffect.gravestFirst.compactMap { effect in
        let count = step.lines.count { $0.change.effect == effect }
        return count == 0 ? nil : "\(count) \(effect.inline)"
      }
      let words: Inline = counts.isEmpty ? "no changes" : counts.joined(", ")
      return .folded(
        "\("\(step.step.heading)", .strong) (\(evolution.kind(of: step.step))): \(words)",
        HistoryDocument.changes(of: step.step, step.lines.map { ($0.change, $0.remark) })
          + HistoryDocument.routes(step.step),
        id: "step-" + step.step.new.number.name, isOpen: place == steps.count - 1)
    }
  }

  // MARK: In the cloud

  /// The version that added each field to CloudKit's schema, and the fields that nothing writes any more.
  private var cloud: Document {
    let local = Set(evolution.configuration.cloud.local.map(\.value))
    let history = evolution.history[versions].map { CloudRecords($0, local: local) }
    let rows: [[Inline]] = CloudRecords.lives(history).map { life in
      let left =
        life.last == history.count - 1
        ? "" : "stays, last written by \(name(versions.lowerBound + life.last))"
      return [
        .code(life.recordType), .code(life.field.name), .code(life.field.type),
        "\(name(versions.lowerBound + life.first))", "\("\(left)", .warning)",
      ]
    }
    let command = Inline.code("schemagen cloud diff")
    return [
      .paragraph(
        "Fields in production are permanent: \(command) shows whether production has all of these."),
      .table(Table(["Record type", "Field", "Type", "Since", ""], rows)),
    ]
  }
}
