/// Ends the process where SwiftData does: a programmer's mistake that no `catch` can mend.
func trap(_ message: String) -> Never {
  fatalError("SwiftData (portable): \(message)")
}
