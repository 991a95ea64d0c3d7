internal import SchemaDiagnostics
internal import SchemaModel
internal import YAMLSource

/// Comments that accept what is found at their line:
/// `# schemagen:accept shared-default until 2027-01-31: the device's zone is right`.
struct AcceptanceComments {
  static let word = "schemagen:"
  static let form = "# schemagen:accept RULE: REASON"

  let file: SourceFile

  func read(into findings: inout Findings) -> [Acceptance] {
    YAMLComments.beginning(with: Self.word, in: file).compactMap { read($0, &findings) }
  }

  private func read(_ comment: YAMLComment, _ findings: inout Findings) -> Acceptance? {
    func refuse(_ message: String, _ help: String = "write \(Self.form)") -> Acceptance? {
      findings.report(.malformedAcceptance, message, at: comment.location, help: [help])
      return nil
    }
    let words = comment.text.dropFirst(Self.word.count)
    guard let command = words.split(separator: " ").first, command == "accept" else {
      let name = words.prefix { $0 != " " }
      return refuse("'schemagen:\(name)' is no comment that schemagen knows")
    }
    let rest = words.dropFirst(command.count)
    guard let colon = rest.firstIndex(of: ":") else {
      return refuse("the comment gives no reason")
    }
    let reason = String(rest[rest.index(after: colon)...]).trimmingSpaces()
    guard !reason.isEmpty else { return refuse("the comment gives no reason") }
    var parts = rest[..<colon].split(separator: " ")
    guard !parts.isEmpty else { return refuse("the comment names no rule") }
    let rule = String(parts.removeFirst())
    var until: Located<CalendarDay>?
    if parts.first == "until" {
      guard parts.count == 2, let day = CalendarDay(parts[1]) else {
        return refuse(
          "'until' wants a day", "write # schemagen:accept \(rule) until 2027-01-31: REASON")
      }
      until = Located(day, at: comment.location)
    } else if !parts.isEmpty {
      return refuse("'\(parts[0])' stands where only 'until' and a day can")
    }
    guard let subject = comment.subject else {
      return refuse(
        "nothing follows that the comment could speak of",
        "write it above the line that it accepts, or behind it")
    }
    return Acceptance(
      rule: Located(rule, at: comment.location), target: .line(subject), reason: reason,
      until: until)
  }
}
