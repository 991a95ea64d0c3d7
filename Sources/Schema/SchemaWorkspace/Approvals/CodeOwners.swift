internal import SchemaModel

/// Whether a repository's CODEOWNERS names a file in a form that every platform understands, so that it will be
/// reviewed.
///
/// Only lines with the file itself, a folder above it as `App/`, or `*` count. Other patterns, and GitLab's owners of a
/// whole section, differ between platforms.
enum CodeOwners {
  /// The files that the platforms read.
  static let places = [".github/CODEOWNERS", ".gitlab/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"]

  /// - Parameters:
  ///   - path: The path from the repository's root.
  ///   - text: The contents of a CODEOWNERS file.
  static func own(_ path: String, in text: String) -> Bool {
    var isOwned = false
    // A review that GitLab does not require.
    var isOptional = false
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard let pattern = words.first else { continue }
      if pattern.hasPrefix("[") || pattern.hasPrefix("^[") {
        isOptional = pattern.hasPrefix("^")
      } else if !words.dropFirst().contains(where: { $0.contains("@") && $0.count > 1 }) {
        // The last matching line counts, and one without owners may exempt the file.
        isOwned = false
      } else if !isOptional, names(path, pattern.hasPrefix("/") ? pattern.dropFirst() : pattern) {
        isOwned = true
      } else if pattern.hasPrefix("!") {
        isOwned = false
      }
    }
    return isOwned
  }

  private static func names(_ path: String, _ pattern: Substring) -> Bool {
    pattern == "*" || pattern == path || pattern.hasSuffix("/") && path.hasPrefix(pattern)
  }
}
