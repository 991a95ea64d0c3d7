/// Types of Swift's and Apple's modules that templates name, but that a type of the app may hide, such as an entity
/// called `Text`. Templates always qualify names that apps often use, such as `Task`. All other names are reserved
/// (`SwiftIdentifier.reservedTypeNames`).
struct HiddenNames {
  static let modules: [String: String] = [
    "ArraySlice": "Swift", "Bundle": "Foundation", "Button": "SwiftUI", "FileHandle": "Foundation",
    "FileManager": "Foundation", "LocalizedStringKey": "SwiftUI", "ProgressView": "SwiftUI",
    "Rehearsal": "SwiftDataRehearsal", "ShareLink": "SwiftUI", "State": "SwiftUI",
    "Text": "SwiftUI", "UserDefaults": "Foundation", "VStack": "SwiftUI", "View": "SwiftUI",
    "ViewBuilder": "SwiftUI",
  ]

  private let modules: [String: String]

  init(by declared: Set<String>) {
    modules = Self.modules.filter { declared.contains($0.key) }
  }

  var isEmpty: Bool { modules.isEmpty }

  /// A template's text in which each of these types has its module before it; nil if the template names none of these
  /// types.
  func qualified(_ template: String) -> String? {
    var isChanged = false
    let lines = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // Strings are not skipped, since no template's strings contain such a word. Tests compile all results.
      guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return String(line) }
      return String(line).replacing(/(^|[^A-Za-z0-9_.`])([A-Z][A-Za-z0-9_]*)/) { match in
        guard let module = modules[String(match.2)] else { return String(match.0) }
        isChanged = true
        return "\(match.1)\(module).\(match.2)"
      }
    }
    return isChanged ? lines.joined(separator: "\n") : nil
  }
}
