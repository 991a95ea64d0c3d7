import Foundation

/// What became of a step.
enum Outcome {
  case saw([String])
  case threw(String, log: String)
  case signal(Int32, log: String)
  case undecidable(String)
  case hung

  var text: String {
    switch self {
    case .saw(let lines): lines.joined(separator: "\n")
    case .threw(let error, let log): "threw \(error)" + Self.excerpt(of: log)
    case .signal(let signal, let log): "ended by signal \(signal)" + Self.excerpt(of: log)
    case .undecidable(let reason): "not decidable: \(reason)"
    case .hung: "did not end"
    }
  }

  /// What is worth reading of a log: what was said first, and what was said last.
  private static func excerpt(of log: String) -> String {
    let log = log.trimmingCharacters(in: .whitespacesAndNewlines)
    if log.isEmpty { return "" }
    return "\n" + (log.count > 2_000 ? "\(log.prefix(1_000))\n…\n\(log.suffix(1_000))" : log)
  }
}
