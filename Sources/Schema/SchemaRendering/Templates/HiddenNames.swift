/// Types of Swift's and Apple's modules that templates name and that an entity, a value type or an app's class may
/// hide: an entity called `Text`. Templates always qualify names that apps often use, such as `Task`; all other names
/// are reserved (`SwiftIdentifier.reservedTypeNames`).
struct HiddenNames {
  static let modules: [String: String] = [
    "ArraySlice": "Swift", "Bundle": "Foundation", "Button": "SwiftUI", "FileHandle": "Foundation",
    "FileManager": "Foundation", "LocalizedStringKey": "SwiftUI", "ProgressView": "SwiftUI",
    "Rehearsal": "SwiftDataRehearsal", "ShareLink": "SwiftUI", "State": "SwiftUI",
    "Text": "SwiftUI", "UserDefaults": "Foundation", "VStack": "SwiftUI", "View": "SwiftUI",
    "ViewBuilder": "SwiftUI",
  ]

  private let modules: [String: String]

  /// - Parameter declared: The names of the module's own types.
  init(by declared: Set<String>) {
    modules = Self.modules.filter { declared.contains($0.key) }
  }

  var isEmpty: Bool { modules.isEmpty }

  /// A template's text in which each of these types has its module before it; nil if it names none.
  func qualified(_ template: String) -> String? {
    var isChanged = false
    let lines = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // No template's strings contain such a word, and tests compile all results.
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
