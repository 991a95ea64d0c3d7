package import SchemaModel

/// A comment that accepts findings: `schemagen:accept shared-default until 2027-01-31: the zone is right`.
///
/// The text is the same in YAML, after `#`, and in Swift, after `//`.
package struct AcceptanceComment: Sendable {
  package static let word = "schemagen:"

  package var rule: String
  package var subject: Int
  package var reason: String
  /// The last day on which the acceptance holds; nil for no end.
  package var until: CalendarDay?

  /// Why a comment accepts nothing.
  package struct Failure: Error, Sendable {
    package var message: String
    package var help: String
  }

  /// Reads a comment that begins with `word`.
  ///
  /// - Parameters:
  ///   - text: The comment without `sign` and the spaces around the text.
  ///   - sign: The characters that begin a comment in the language.
  ///   - subject: The line that the comment applies to; nil if nothing follows it.
  package static func read(
    _ text: String, sign: String, subject: Int?
  ) -> Result<AcceptanceComment, Failure> {
    func failure(_ message: String, _ help: String? = nil) -> Result<Self, Failure> {
      .failure(
        Failure(message: message, help: help ?? "write \(sign) schemagen:accept RULE: REASON"))
    }
    let words = text.dropFirst(word.count)
    guard let command = words.split(separator: " ").first, command == "accept" else {
      let name = words.prefix { $0 != " " }
      return failure("unknown comment 'schemagen:\(name)'")
    }
    let rest = words.dropFirst(command.count)
    guard let colon = rest.firstIndex(of: ":") else {
      return failure("the comment gives no reason")
    }
    let reason = String(rest[rest.index(after: colon)...]).trimmingSpaces()
    guard !reason.isEmpty else { return failure("the comment gives no reason") }
    var parts = rest[..<colon].split(separator: " ")
    guard !parts.isEmpty else { return failure("the comment names no rule") }
    let rule = String(parts.removeFirst())
    var until: CalendarDay?
    if parts.first == "until" {
      guard parts.count == 2, let day = CalendarDay(parts[1]) else {
        return failure(
          "'until' needs a day",
          "write \(sign) schemagen:accept \(rule) until 2027-01-31: REASON")
      }
      until = day
    } else if !parts.isEmpty {
      return failure("expected 'until' and a day, found '\(parts[0])'")
    }
    guard let subject else {
      return failure(
        "the comment applies to nothing: no line follows",
        "write the comment above the line with the finding, or at the end of that line")
    }
    return .success(Self(rule: rule, subject: subject, reason: reason, until: until))
  }
}
