/// Receives the progress of long work: its phase, and how many of how many items are done. Both numbers are 0 if the
/// items are not counted. The closure may be called often and on any thread.
package typealias WorkObserver = @Sendable (_ phase: String, _ done: Int, _ total: Int) -> Void
