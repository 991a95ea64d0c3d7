internal import ArgumentParser
internal import Foundation
internal import SchemaReporting

package struct ProgressOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show no progress.")
  package var quiet = false

  package init() {}

  package var work: WorkProgress { WorkProgress(isQuiet: quiet) }
}

/// Shows the progress of long work on standard error.
///
/// On a terminal it is one line that changes, and that disappears when anything else is written. Without a terminal it
/// writes a new line now and then, less often the longer the work lasts. Short work gets none.
package struct WorkProgress: Sendable {
  private let isWanted: Bool

  package init(isQuiet: Bool) { isWanted = !isQuiet }

  /// Shows what is being done, and how much of it is done.
  ///
  /// - Parameters:
  ///   - phase: `reading Swift files`.
  ///   - done: How many items are done.
  ///   - total: How many items there are; 0 if they are not counted.
  @Sendable package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0) {
    show(phase, done, total, in: nil)
  }

  /// Shows the place as well. It comes last, since a long path must not push the phase out of the line.
  package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0, in place: String?) {
    guard isWanted else { return }
    StatusLine.shared.show(phase, done, of: total, in: place)
  }

  /// Shows what is being done. Without a terminal the line is always written.
  package func say(_ line: String, in place: String? = nil) {
    guard isWanted else { return }
    if Output.Stream.errors.isTerminal {
      show(line, in: place)
    } else {
      Output.error(place.map { "\($0): \(line)" } ?? line)
    }
  }
}

/// Writes the line that changes. The process has one, since there is only one terminal.
final class StatusLine: @unchecked Sendable {
  static let shared = StatusLine()

  /// The time between two changes of a number.
  private static let pause = Duration.milliseconds(100)
  /// How long work lasts before it gets a line without a terminal. Each further line takes three times as long.
  private static let patience = Duration.seconds(5)

  private let lock = NSLock()
  private let clock = ContinuousClock()
  private let begin: ContinuousClock.Instant
  private var isShown = false
  private var phase: String?
  private var next: ContinuousClock.Instant
  private var patience = StatusLine.patience

  private init() {
    begin = clock.now
    next = Output.Stream.errors.isTerminal ? begin : begin + Self.patience
  }

  func show(_ phase: String, _ done: Int, of total: Int, in place: String?) {
    lock.withLock {
      let now = clock.now
      let text =
        (total == 0 ? phase : "\(phase): \(done) of \(total)") + (place.map { ", \($0)" } ?? "")
      guard Output.Stream.errors.isTerminal else {
        guard now >= next else { return }
        patience *= 3
        next = now + patience
        return write(text + "\n")
      }
      // A new phase is shown at once, since the next call may come much later.
      guard now >= next || phase != self.phase else { return }
      self.phase = phase
      next = now + Self.pause
      isShown = true
      // Leave two columns for the `^C` that a terminal shows, which would otherwise wrap and leave this line behind.
      // Leave the last one too: some terminals wrap there.
      let width = max(1, (Output.terminal(.errors).width ?? 80) - 3)
      write("\r\(text.visibleInOneLine.shortened(to: width))\u{1B}[K")
    }
  }

  /// Removes the line, before anything else is written or the program ends.
  func clear() {
    lock.withLock {
      guard isShown else { return }
      isShown = false
      phase = nil
      write("\r\u{1B}[K")
    }
  }

  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
