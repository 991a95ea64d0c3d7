internal import SchemaModel

/// Finds out whether CODEOWNERS gives a file an owner on every platform, so that changes of the file are reviewed.
///
/// Only lines with the file itself, with a folder that contains it (`App/`), or with `*` count. Other patterns, and
/// GitLab's owners of a whole section, differ between platforms.
enum CodeOwners {
  static let places = [".github/CODEOWNERS", ".gitlab/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"]

  /// - Parameter path: The path from the repository's root.
  static func own(_ path: String, in text: String) -> Bool {
    var isOwned = false
    // GitLab does not require a review for an optional section.
    var isOptional = false
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard let pattern = words.first else { continue }
      if pattern.hasPrefix("[") || pattern.hasPrefix("^[") {
        isOptional = pattern.hasPrefix("^")
      } else if !words.dropFirst().contains(where: { $0.contains("@") && $0.count > 1 }) {
        // The last matching line counts, and a line without owners may exempt the file.
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
