/// Ends the process as SwiftData does for a programmer's mistake, which no `catch` can handle.
func trap(_ message: String) -> Never {
  fatalError("SwiftData (portable): \(message)")
}
