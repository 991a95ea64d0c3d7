/// Receives the progress of long work: its phase, and how many items are done out of how many; 0 of 0 if they are not
/// counted. It may be called often and on any thread.
package typealias WorkObserver = @Sendable (_ phase: String, _ done: Int, _ total: Int) -> Void
