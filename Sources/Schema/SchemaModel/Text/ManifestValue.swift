/// A manifest's value that is not laid out in lines yet.
package indirect enum ManifestValue: Equatable {
  /// A name or a type. It never needs quotes.
  case name(String)
  case source(String)
  case text(String)
  /// Items. The comments are lines above an item, by the item's index.
  case list([ManifestValue], comments: [Int: [String]] = [:])
  /// Entries in order. They are on one line if they fit and if there are at most `most` entries.
  case mapping([ManifestEntry], most: Int = .max)

  package static func names(_ names: [String]) -> ManifestValue { .list(names.map { .name($0) }) }
}

/// A key with its value, comments and spacing.
package struct ManifestEntry: Equatable {
  package var key: String
  package var value: ManifestValue
  /// The comment lines above the entry, without `#`.
  package var comments: [String] = []
  package var isApart = false

  package init(_ key: String, _ value: ManifestValue) {
    self.key = key
    self.value = value
  }
}

extension String {
  /// The lines of the string without invisible characters, which the manifest reader refuses.
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

  /// The string as the manifest reader accepts it: without invisible characters, and without white space around it.
  package var manifestText: String { manifestLines.joined(separator: "\n").trimmingSpaces() }

  package var manifestLine: String {
    manifestText.manifestLines.map {
      String($0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: " "))
    }.joined(separator: " ")
  }
}
