/// Receives the progress of long work: its phase, and how many items of how many are done, or 0 of 0 if they are not
/// counted. It may be called on any thread, and often.
package typealias WorkObserver = @Sendable (_ phase: String, _ done: Int, _ total: Int) -> Void
