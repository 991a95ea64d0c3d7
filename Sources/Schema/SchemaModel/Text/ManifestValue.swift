/// A manifest's value before it is laid out in lines.
package indirect enum ManifestValue: Equatable {
  /// Names and types, which need no quotes anywhere.
  case name(String)
  /// A Swift expression, or a number.
  case source(String)
  /// Prose of one or several lines.
  case text(String)
  /// Items, with lines of comments above some of them.
  case list([ManifestValue], comments: [Int: [String]] = [:])
  /// Entries in order. They are written in one line if they fit and are at most `most`.
  case mapping([ManifestEntry], most: Int = .max)

  package static func names(_ names: [String]) -> ManifestValue { .list(names.map { .name($0) }) }
}

/// A key with its value, comments and spacing.
package struct ManifestEntry: Equatable {
  package var key: String
  package var value: ManifestValue
  /// Lines above it, without their `#`.
  package var comments: [String] = []
  /// Whether a blank line comes before it.
  package var isApart = false

  package init(_ key: String, _ value: ManifestValue) {
    self.key = key
    self.value = value
  }
}

extension String {
  /// The text's lines without invisible characters, which the manifest reader refuses.
  package var manifestLines: [String] {
    var lines: [String] = [""]
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar == "\n" || scalar == "\r" {
        if scalar == "\r" || previous != "\r" { lines.append("") }
      } else if !scalar.isHidden || scalar == "\t" {
        lines[lines.count - 1].unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return lines
  }

  /// The text in a form that the manifest reader accepts: visible, and without white space around it.
  package var manifestText: String { manifestLines.joined(separator: "\n").trimmingSpaces() }

  /// The text in one line.
  package var manifestLine: String {
    manifestText.manifestLines.map {
      String($0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: " "))
    }.joined(separator: " ")
  }
}
