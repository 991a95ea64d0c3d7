internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

extension HistoryReport {
  /// One self-contained HTML page.
  package var page: String {
    let newest = evolution.history[versions.upperBound]
    var sections = [
      ("versions", "Versions", train), ("models", "Models", models),
      ("properties", "Properties", life),
    ]
    if !steps.isEmpty { sections.append(("steps", "Steps", stepSections)) }
    if evolution.configuration.cloudKit == .private {
      sections.append(("cloud", "In the cloud", cloud))
    }
    if !findings.isEmpty { sections.append(("findings", "Findings", findingList)) }
    let links = sections.map { "<a href=\"#\($0.0)\">\($0.1)</a>" }.joined()
    let body = sections.map { id, name, content in
      "<section id=\"\(id)\"><h2>\(name)</h2>\n\(content)</section>\n"
    }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(text(title)): schema history</title>
      <style>\(Self.style)</style></head><body>
      <header><h1>\(text(title))</h1>
      <p>\(counted(versions.count, "version")), \(counted(newest.models.count, "model")) in \(newest.number.name). \(verdict)</p>
      <nav aria-label="Sections">\(links)</nav></header>
      <main>\(body)</main>
      <footer class="mute"><p>Made by <code>schemagen report</code>.</p></footer>
      <script>\(Self.script)</script></body></html>

      """
  }

  private static var style: String { String(decoding: PackageResources.report_css, as: UTF8.self) }
  private static var script: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

  private func text(_ text: String) -> String { XMLText.text(text) }

  private func code(_ code: some CustomStringConvertible) -> String {
    "<code>\(text(code.description))</code>"
  }

  private func tag(_ words: String, _ kind: String = "") -> String {
    "<span class=\"tag \(kind)\">\(text(words))</span>"
  }

  private func name(_ version: Int) -> String { evolution.history[version].number.name }

  /// The page's summary: the errors, or else the gravest effect on data.
  private var verdict: String {
    let errors = findings.count { $0.severity == .error }
    if errors > 0 { return tag(counted(errors, "error"), "error") }
    let changes = steps.flatMap(\.changes)
    let risky = changes.count { $0.effect == .atRisk }
    let dropped = changes.count { $0.effect == .dropped }
    if risky > 0 { return tag("\(counted(risky, "change")) with data at risk", "risk") }
    return dropped > 0
      ? tag("\(counted(dropped, "change")) that drop\(dropped == 1 ? "s" : "") data", "warning")
      : tag("no change drops data", "ok")
  }

  // MARK: Versions

  private var train: String {
    let checksums = Dictionary(lock.entries, keyedBy: \.version)
    let items = versions.map { index in
      let version = evolution.history[index]
      let entry = checksums[version.number]
      let isShipped = entry?.state == .released
      var lines = [
        "<strong><a href=\"#\(index == versions.lowerBound ? "models" : "step-" + version.number.name)\">"
          + "\(text(version.number.name))</a></strong> "
          + tag(isShipped ? "shipped" : "draft", isShipped ? "ok" : "")
      ]
      if evolution.configuration.isRetired(version.number) {
        let stores = survey.map {
          ": \($0.count(of: version.number.name)) of \(counted($0.total, "surveyed store"))"
        }
        lines[0] += " " + tag("retired" + (stores ?? ""), "warning")
      }
      if let summary = version.summary { lines.append(text(summary)) }
      if let hashes = entry?.hashes {
        if let checksum = hashes.checksum {
          lines.append(
            "<span class=\"mute\" title=\"\(text(checksum))\">checksum "
              + "\(code(checksum.prefix(8)))…\(hashes.isProven ? ", proven by a store" : "")</span>"
          )
        } else {
          lines.append(
            "<span class=\"mute\">no checksum: the hash of "
              + "\(text(hashes.uncertain.joined(separator: ", "))) is not certain</span>")
        }
      }
      lines.append("<button type=\"button\" data-show=\"\(index)\">Show its models</button>")
      let step = index == versions.lowerBound ? "" : stage(evolution.steps[index - 1])
      return
        "<li>\(step)<div class=\"stop\(isShipped ? " shipped" : "")\">\(lines.joined(separator: "<br>"))</div></li>\n"
    }
    return "<ol class=\"train\">\(items.joined())</ol>\n"
  }

  private func stage(_ step: VersionStep) -> String {
    var words = text(evolution.kind(of: step).description)
    let stages = step.stages
    if stages.count > 1 {
      words += "<br>" + stages.map { code($0.name(in: step)) }.joined(separator: "<br>")
    }
    let reasons = stages.flatMap(\.barrierReasons)
    if !reasons.isEmpty {
      let items = reasons.prefix(5).map { "<li>\(text($0.description))</li>" }
      words +=
        "<details><summary>why a barrier</summary><p>People who skip releases get the same result as people who do not.</p>"
        + "<ul>\(items.joined())</ul></details>"
    }
    return "<div class=\"stage\">\(words)</div>"
  }

  // MARK: Models

  /// All versions, which a script in the page shows one at a time.
  private var models: String {
    let diagram = EntityDiagram(tracks: tracks, versions: versions)
    guard !diagram.boxes.isEmpty else { return "<p>No version has a model.</p>\n" }
    let names = versions.map(name).joined(separator: " ")
    let last = versions.upperBound
    return """
      <div class="bar" hidden><label for="version">Version</label>
      <input id="version" type="range" min="\(versions.lowerBound)" max="\(last)" value="\(last)" step="1" \
      data-names="\(text(names))"></div>
      <figure>
      \(diagram.html)\
      <figcaption><span id="shown" aria-live="polite">\(text(name(last)))</span><br>Green: new. Yellow: changed. Red and \
      struck out: gone. Blue: relationships, with their delete rule where it is not nullify, and ↔ their inverse.\
      </figcaption></figure>

      """
  }

  // MARK: Properties

  private var life: String {
    var parts: [String] = []
    for track in tracks {
      let models = versions.compactMap { track.forms[$0] }
      guard let model = models.last else { continue }
      let (moved, still) = track.properties.filter { property in
        versions.contains { property.forms[$0] != nil }
      }
      .reduce(into: ([PropertyTrack](), [PropertyTrack]())) { parts, property in
        if hasStory(property, track) { parts.0.append(property) } else { parts.1.append(property) }
      }
      guard !moved.isEmpty else { continue }
      let names = still.compactMap { property in
        versions.compactMap { property.forms[$0]?.name }.last
      }
      var content = bands(moved, track)
      if !names.isEmpty {
        content += "<p class=\"mute\">Never changed: \(names.map(code).joined(separator: ", "))</p>"
      }
      parts.append(
        "<details\(parts.isEmpty ? " open" : "")><summary><h3>\(text(model.name))</h3> "
          + "<span class=\"mute\">\(moved.count == 1 ? "1 property" : "\(moved.count) properties")</span></summary>\(content)</details>\n"
      )
    }
    return parts.isEmpty ? "<p>No property changes in these versions.</p>\n" : parts.joined()
  }

  /// Whether it differs among the versions that have its model.
  private func hasStory(_ property: PropertyTrack, _ track: ModelTrack) -> Bool {
    let forms = versions.filter { track.forms[$0] != nil }.map { property.forms[$0].map(Self.form) }
    return Set(forms).count > 1 || versions.contains { !turns(property, track, at: $0).isEmpty }
  }

  /// What a version does to values that are kept: a conversion, or another raw value of a stored enum.
  private func turns(_ property: PropertyTrack, _ track: ModelTrack, at version: Int)
    -> [SchemaChange]
  {
    guard version > versions.lowerBound, property.forms[version - 1] != nil,
      let form = property.forms[version], let model = track.forms[version]
    else { return [] }
    let turns = turnsOfSteps[version - 1 - versions.lowerBound]
    return turns.of(ElementPath(model.name, form.name), form.attribute?.type)
  }

  private static func form(_ property: Property) -> String {
    "\(property.name): \(property.type)" + (property.isTransient ? ", transient" : "")
  }

  private func bands(_ properties: [PropertyTrack], _ track: ModelTrack) -> String {
    let heads = versions.map { "<th scope=\"col\">\(text(name($0)))</th>" }.joined()
    let rows = properties.map { property in
      let newest = versions.compactMap { property.forms[$0]?.name }.last ?? ""
      return "<tr><th scope=\"row\">\(code(newest))</th>\(cells(property, track))</tr>\n"
    }
    return
      "<div class=\"scroll\"><table class=\"life\"><thead><tr><th scope=\"col\">Property</th>\(heads)</tr></thead>"
      + "<tbody>\n\(rows.joined())</tbody></table></div>\n"
  }

  /// The table cells of a property, one for each span without a change.
  private func cells(_ property: PropertyTrack, _ track: ModelTrack) -> String {
    var cells = ""
    var index = versions.lowerBound
    while index <= versions.upperBound {
      let form = property.forms[index].map(Self.form)
      var end = index
      while end < versions.upperBound, property.forms[end + 1].map(Self.form) == form,
        turns(property, track, at: end + 1).isEmpty
      { end += 1 }
      let isFirst = index == versions.lowerBound
      let before = isFirst ? nil : property.forms[index - 1]
      let kind: String
      if form == nil {
        kind = before == nil ? "none" : "gone"
      } else {
        kind =
          isFirst
          ? "same" : before == nil ? (track.forms[index - 1] == nil ? "same" : "new") : "turn"
      }
      let note = isFirst ? "" : self.note(property, track, at: index)
      let span = end > index ? " colspan=\"\(end - index + 1)\"" : ""
      cells += "<td class=\"\(kind)\"\(span)>\(text(form ?? "–"))\(note)</td>"
      index = end + 1
    }
    return cells
  }

  /// What happens to its values in the step to a version.
  private func note(_ property: PropertyTrack, _ track: ModelTrack, at version: Int) -> String {
    let step = evolution.steps[version - 1]
    let elements = [(version, property.forms[version]), (version - 1, property.forms[version - 1])]
      .compactMap {
        version, form in
        form.flatMap { form in track.forms[version].map { ElementPath($0.name, form.name) } }
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
    words += turns(property, track, at: version).filter { !elements.contains($0.element) }
      .map { "\($0.element): \($0.classification.title)" }
    return words.isEmpty ? "" : "<small>\(text(words.joined(separator: "; ")))</small>"
  }

  // MARK: Steps

  private var stepSections: String {
    let last = steps.count - 1
    return steps.enumerated().reversed().map { place, step in
      let changes = step.changesByRisk
      let counts = DataEffect.gravestFirst.compactMap { effect in
        let count = changes.count { $0.change.effect == effect }
        return count == 0 ? nil : (effect, "\(count) \(effect.rawValue)")
      }
      let words = counts.isEmpty ? "no changes" : counts.map(\.1).joined(separator: ", ")
      let tags = counts.map { tag($0.1, Self.style($0.0)) }.joined(separator: " ")
      var content = ""
      if !step.routes.isEmpty { content += routes(step) }
      if !changes.isEmpty { content += table(changes, of: step) }
      if content.isEmpty { content = "<p>No change that a manifest describes.</p>" }
      return
        "<details id=\"step-\(text(step.new.number.name))\" data-words=\"\(text(words))\"\(place == last ? " open" : "")><summary>"
        + "<h3>\(text(step.heading))</h3> \(tag(evolution.kind(of: step).description)) \(tags)</summary>\n"
        + "\(content)</details>\n"
    }.joined()
  }

  private static func style(_ effect: DataEffect) -> String {
    effect == .atRisk ? "risk" : effect.rawValue
  }

  private func routes(_ step: VersionStep) -> String {
    let rows = step.routes.map { route in
      var words = ""
      var to =
        route.to.map { "<span>\(text($0.description))</span>" }
        ?? "<span class=\"void\">gone</span>"
      switch route.fallback {
      case .value(let value): words = value
      case .dropped(let why): to = "<span class=\"void\">dropped: \(text(why.text))</span>"
      case nil: break
      }
      let from =
        route.from.map { "<span>\(text($0.description))</span>" }
        ?? "<span class=\"void\">new</span>"
      return "<div class=\"route\">\(from)<i>\(text(words))</i>\(to)</div>\n"
    }
    return "<div class=\"routes\" aria-label=\"Where values go\">\(rows.joined())</div>\n"
  }

  private func table(_ changes: [VersionStep.Ranked], of step: VersionStep) -> String {
    let isMeasured = measurements != nil
    let rows = changes.map { place, change in
      var detail = text(change.classification.title)
      if !change.detail.isEmpty { detail += "<br>\(code(change.detail))" }
      var why = text(change.reason)
      switch change.acknowledgement {
      case .reason(let reason): why += "<br>Acknowledged: \(text(reason))"
      case .unconfirmed: why += "<br>" + tag("unconfirmed", "error")
      case nil: break
      }
      var row =
        "<tr><td>\(tag(change.effect.rawValue, Self.style(change.effect)))</td><td>\(code(change.element))</td>"
        + "<td>\(detail)</td><td>\(text(change.mechanism.rawValue))</td><td>\(why)</td>"
      if isMeasured {
        let finding = measurements?.finding(stepTo: step.new.number, change: place)
        row +=
          "<td>"
          + (finding.map { tag($0.outcome.rawValue, Self.style($0.outcome)) + " " + text($0.text) }
            ?? "") + "</td>"
      }
      return row + "</tr>\n"
    }
    let heads = ["Data", "Element", "Change", "How", "Why"] + (isMeasured ? ["On this store"] : [])
    return
      "<div class=\"scroll\"><table class=\"changes\"><thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>"
      + "<tbody>\n\(rows.joined())</tbody></table></div>\n"
  }

  private static func style(_ outcome: RowMeasurements.Outcome) -> String {
    outcome >= .lost ? "lost" : outcome >= .unknown ? "warning" : "ok"
  }

  // MARK: Findings

  private var findingList: String {
    let items = findings.sorted { $0.severity > $1.severity }.map { finding in
      let place =
        finding.location.map { " <span class=\"mute\">\(text("\($0.file):\($0.line)"))</span>" }
        ?? ""
      let help = finding.help.map { "<br>\(text($0))" }.joined()
      let page = "\(Basis.documentation)rules/\(finding.rule.id).md"
      return
        "<li>\(tag(finding.severity.rawValue, finding.severity.rawValue)) \(text(finding.message)) "
        + "<a href=\"\(text(page))\">\(text(finding.rule.id))</a>\(place)\(help)</li>\n"
    }
    return "<ul>\n\(items.joined())</ul>\n"
  }

  // MARK: In the cloud

  /// The version that added each field to CloudKit's schema, and the fields that nothing writes any more.
  private var cloud: String {
    let local = Set(evolution.configuration.cloud.local.map(\.value))
    let history = evolution.history[versions].map { CloudRecords($0, local: local) }
    let rows = CloudRecords.lives(history).map { life in
      let left =
        life.last == history.count - 1
        ? "" : tag("stays, last written by \(name(versions.lowerBound + life.last))", "warning")
      return
        "<tr><td>\(code(life.recordType))</td><td>\(code(life.field.name))</td><td>\(code(life.field.type))</td>"
        + "<td>\(name(versions.lowerBound + life.first))</td><td>\(left)</td></tr>\n"
    }.joined()
    let heads = ["Record type", "Field", "Type", "Since", ""]
    return
      "<p>What is in production is there for good: <code>schemagen cloud diff</code> says whether it has all of this.</p>\n"
      + "<div class=\"scroll\"><table><thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>"
      + "<tbody>\n\(rows)</tbody></table></div>\n"
  }
}
