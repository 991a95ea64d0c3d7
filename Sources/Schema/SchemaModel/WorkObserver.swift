/// Told how far long work has come: what is done now, and of how many things how many are done, or 0 of 0 where they are
/// not counted. It may be called on any thread, and often.
package typealias WorkObserver = @Sendable (_ phase: String, _ done: Int, _ total: Int) -> Void
