internal import SchemaModel

/// Who has to review a file, by the repository's CODEOWNERS.
///
/// Sources: docs.github.com, "About code owners"; docs.gitlab.com, "Code Owners". Where the two differ, the reading that
/// gives fewer files owners is taken: what is not sure to be reviewed is not.
struct CodeOwners {
  /// Where the platforms look.
  static let places = [".github/CODEOWNERS", ".gitlab/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"]

  private struct Entry {
    var pattern: String
    var hasOwners: Bool
  }

  /// GitLab's sections, each of which asks for a review of its own; elsewhere there is one.
  private var sections: [[Entry]] = [[]]

  init(_ text: String) {
    var isOptional = false
    var hasDefault = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = String(line.prefix { $0 != "#" }).trimmingSpaces()
      if line.isEmpty { continue }
      if line.hasPrefix("[") || line.hasPrefix("^["), let end = line.lastIndex(of: "]") {
        isOptional = line.hasPrefix("^")
        hasDefault = Self.namesOwner(line[line.index(after: end)...].split(separator: " "))
        sections.append([])
        continue
      }
      guard !isOptional else { continue }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      // What excludes a file, as GitLab writes it, gives it no owner.
      let isExcluded = line.hasPrefix("!")
      sections[sections.count - 1].append(
        Entry(
          pattern: String(words[0].drop { $0 == "!" }),
          hasOwners: !isExcluded
            && (words.count > 1 ? Self.namesOwner(words.dropFirst()) : hasDefault)))
    }
  }

  private static func namesOwner(_ words: some Sequence<Substring>) -> Bool {
    words.contains { $0.contains("@") && $0.count > 1 }
  }

  /// Whether a file has an owner: the last line that matches it counts.
  ///
  /// - Parameter path: From the repository's root.
  func own(_ path: String) -> Bool {
    sections.contains { section in
      section.last { Self.matches(path, $0.pattern) }?.hasOwners ?? false
    }
  }

  /// Whether a pattern, as `.gitignore` has them, is one of a path or of a folder above it.
  static func matches(_ path: String, _ pattern: String) -> Bool {
    var parts = pattern.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard !parts.isEmpty else { return false }
    let isFolder = pattern.hasSuffix("/")
    // A slash at the beginning or in the middle binds it to the root.
    let isBound = pattern.hasPrefix("/") || parts.count > 1
    if !isBound { parts.insert("**", at: 0) }
    let names = path.split(separator: "/").map(String.init)
    // What matches a folder matches all below; `folder/*` is said of files in it alone.
    let isOfFiles = parts.count > 1 && parts.last == "*" && isBound
    let lengths =
      isOfFiles
      ? [names.count]
      : Array((1...max(1, names.count)).reversed()).filter { !isFolder || $0 < names.count }
    return lengths.contains { matches(names.prefix($0), parts[...]) }
  }

  private static func matches(_ names: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
    guard let part = parts.first else { return names.isEmpty }
    if part == "**" {
      return (0...names.count).contains { matches(names.dropFirst($0), parts.dropFirst()) }
    }
    guard let name = names.first, matches(Array(name), Array(part)) else { return false }
    return matches(names.dropFirst(), parts.dropFirst())
  }

  /// One name, with `*` and `?`; in time linear in both.
  private static func matches(_ name: [Character], _ part: [Character]) -> Bool {
    var (index, place) = (0, 0)
    var star: (place: Int, index: Int)?
    while index < name.count {
      if place < part.count, part[place] == "*" {
        star = (place, index)
        place += 1
      } else if place < part.count, part[place] == "?" || part[place] == name[index] {
        index += 1
        place += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (index, place) = (last.index + 1, last.place + 1)
      } else {
        return false
      }
    }
    return part[place...].allSatisfy { $0 == "*" }
  }
}
