/// The sources of an app that never was: screens and services of a size that people write, without SwiftData in most.
///
/// The same number gives the same files.
struct SyntheticSources {
  static let models = [
    "UserProfileModel", "HabitModel", "HabitLogModel", "CategoryModel", "TripModel", "NoteModel",
  ]
  static let versions = 9

  var files: Int
  /// Every so many files, one names a version of a model; nil for never.
  var every: Int?

  /// The manifests of its versions, by path.
  func manifests() -> [(path: String, text: String)] {
    (1...Self.versions).map { version in
      var text = "version: \(version).0.0\nmodels:\n"
      for model in Self.models {
        text += "  \(model):\n    properties:\n      id: UUID\n      title: String = \"\"\n"
        for step in 2..<(version + 1) { text += "      added\(step): Int?\n" }
      }
      return ("Schemas/V\(version).yaml", text)
    }
  }

  /// The Swift files, by path.
  func sources() -> [(path: String, text: String)] {
    (0..<files).map { index in
      ("App/Feature\(index / 20)/Screen\(index).swift", source(index))
    }
  }

  private func source(_ index: Int) -> String {
    var text = """
      // Screen \(index) of the app. HabitModelV8 in a comment is nobody's business.
      import Foundation
      import SwiftUI

      /// Shows what is asked for, and lets people change it.
      struct Screen\(index)View: View {
        @State private var title = ""
        @State private var isEditing = false
        @State private var address: IPV4Address?

      """
    // A comment like the one above in every file would make every file a candidate.
    if index % 1_000 != 0 {
      text = text.replacing(" HabitModelV8 in a comment is nobody's business.", with: "")
    }
    if let every, index % every == 0 {
      let model = Self.models[index / every % Self.models.count]
      text += "  @Query private var items: [SchemaV8.\(model)]\n"
      text += "  private var newest: \(model)V9?\n"
    }
    text += """

        var body: some View {
          VStack(alignment: .leading, spacing: 8) {
            Text(title).font(.headline)

      """
    for row in 0..<(10 + index % 17) {
      text += """
              HStack {
                Image(systemName: "\(row).circle").accessibilityLabel("Row \(row)")
                VStack { Text("Value \(row * index)"); Divider() }
                Spacer()
                Button("Change \(row)") { isEditing = change(row: \(row), of: title) }
              }

        """
    }
    text += "    }\n  }\n\n"
    for function in 0..<(4 + index % 7) {
      text += """
          /// What happens with a row when somebody taps it, as often as they do.
          private func change\(function)(row: Int, of title: String) -> Bool {
            guard row > \(function), !title.isEmpty else { return false }
            let values = (0..<row).map { $0 * \(index + function) }.filter { $0.isMultiple(of: 3) }
            if let first = values.first, first > 100 {
              print("The first of \\(values.count) values is \\(first)")
              return true
            }
            return values.reduce(0, +) > \(function)
          }


        """
    }
    text += """
        private func change(row: Int, of title: String) -> Bool { change0(row: row, of: title) }
      }

      #Preview { Screen\(index)View() }

      """
    return text
  }
}
