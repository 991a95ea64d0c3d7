/// Ends the process where SwiftData does: a programmer's mistake that no `catch` can handle.
func trap(_ message: String) -> Never {
  fatalError("SwiftData (portable): \(message)")
}
