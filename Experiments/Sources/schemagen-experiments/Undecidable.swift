/// Thrown by a step that finds that the system lacks what it asks for.
struct Undecidable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
