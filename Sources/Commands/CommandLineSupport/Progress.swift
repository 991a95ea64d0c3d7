internal import ArgumentParser
internal import Foundation
internal import SchemaReporting

package struct ProgressOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show no progress.")
  package var quiet = false

  package init() {}

  package var work: WorkProgress { WorkProgress(isQuiet: quiet) }
}

/// The progress of long work, on standard error.
///
/// On a terminal it is one line that changes and is gone when anything else is written. Elsewhere it is a line now and
/// then, the more rarely the longer the work lasts, and none for work that is over soon.
package struct WorkProgress: Sendable {
  private let isWanted: Bool

  package init(isQuiet: Bool) { isWanted = !isQuiet }

  /// Shows what is done now, and how much of it is done.
  ///
  /// - Parameters:
  ///   - phase: `reading Swift files`.
  ///   - done: How many of them.
  ///   - total: How many there are; 0 where they are not counted.
  @Sendable package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0) {
    show(phase, done, total, in: nil)
  }

  /// Shows the place as well: last, since a long path must not push the phase out of the line.
  package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0, in place: String?) {
    guard isWanted else { return }
    StatusLine.shared.show(phase, done, of: total, in: place)
  }

  /// Shows what is done now, in a line that stays where there is no terminal.
  package func say(_ line: String, in place: String? = nil) {
    guard isWanted else { return }
    if Output.Stream.errors.isTerminal {
      show(line, in: place)
    } else {
      Output.error(place.map { "\($0): \(line)" } ?? line)
    }
  }
}

/// The line that changes: there is one terminal, whoever writes to it.
final class StatusLine: @unchecked Sendable {
  static let shared = StatusLine()

  /// The time between two changes of a number.
  private static let pause = Duration.milliseconds(100)
  /// How long work lasts before a line reports it without a terminal; three times as long for each further one.
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
      // A new phase is shown at once: nobody knows when the next word comes.
      guard now >= next || phase != self.phase else { return }
      self.phase = phase
      next = now + Self.pause
      isShown = true
      // Two columns stay free for the `^C` that a terminal shows, which would begin a new line and leave this one behind,
      // and the last: some terminals begin a new line there.
      let width = max(1, (Output.terminal(.errors).width ?? 80) - 3)
      write("\r\(text.visibleInOneLine.shortened(to: width))\u{1B}[K")
    }
  }

  /// Takes the line away, before anything else is written or the program ends.
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
