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
/// On a terminal, a single line changes, and disappears before other output. Without a terminal, a new line appears
/// now and then, less often the longer the work lasts. Short work shows nothing.
package struct WorkProgress: Sendable {
  private let isWanted: Bool

  package init(isQuiet: Bool) { isWanted = !isQuiet }

  /// - Parameters:
  ///   - phase: What is being done: `reading Swift files`.
  ///   - done: The number of items that are done.
  ///   - total: The number of all items; 0 if unknown.
  @Sendable package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0) {
    show(phase, done, total, in: nil)
  }

  /// Shows the place as well. The place comes last, because a long path must not push the phase out of the line.
  package func show(_ phase: String, _ done: Int = 0, _ total: Int = 0, in place: String?) {
    guard isWanted else { return }
    StatusLine.shared.show(phase, done, of: total, in: place)
  }

  /// Shows what is being done. Without a terminal, the line is written at once.
  package func say(_ line: String, in place: String? = nil) {
    guard isWanted else { return }
    if Output.Stream.errors.isTerminal {
      show(line, in: place)
    } else {
      Output.error(place.map { "\($0): \(line)" } ?? line)
    }
  }
}

/// Writes the line that changes. There is one per process, because there is only one terminal.
final class StatusLine: @unchecked Sendable {
  static let shared = StatusLine()

  /// The shortest time between two updates of a number.
  private static let pause = Duration.milliseconds(100)
  /// The time until work without a terminal shows its first line. The wait for each further line is three times the
  /// wait before it.
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
      // A new phase is shown at once, because the next call may come much later.
      guard now >= next || phase != self.phase else { return }
      self.phase = phase
      next = now + Self.pause
      isShown = true
      // Two columns stay free for the `^C` that a terminal shows. Otherwise the `^C` would wrap and leave this line
      // on screen. The last column stays free as well, because some terminals wrap there.
      let width = max(1, (Output.terminal(.errors).width ?? 80) - 3)
      write("\r\(text.visibleInOneLine.shortened(to: width))\u{1B}[K")
    }
  }

  /// Removes the line. Called before other output, and before the program ends.
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
