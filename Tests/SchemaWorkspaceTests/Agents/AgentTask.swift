/// The task of an agent: a change of an app's models, written without knowledge of migrations.
struct AgentTask: Sendable {
  var name: String
  /// The shipped manifest without its first line.
  var v1: String
  /// The agent's first draft of V2; nil if it edits the shipped version.
  var v2: String?
  /// Other files that it changes; nil deletes one.
  var others: [String: String?] = [:]
  /// The Swift that it writes where an answer leaves `…`, by property name; under "" for all others.
  var code: [String: String] = [:]
  /// Replacements in V2, by rule, for findings whose help has no text to write.
  var answers: [String: (old: String, new: String)] = [:]
  /// Whether the task loses values without the author's noticing.
  var isTrap = false
}

/// The names of an app, so that names do not resemble each other in the same way in each app.
struct AppWords: Sendable {
  var model: String
  var other: String
  var text: String
  var note: String
  /// Another name for the note, unlike the first.
  var remark: String
  /// A longer name for the text.
  var longText: String
  var count: String
  var flag: String
  var day: String
  var kind: String
  var cases: (String, String)

  static let all = [
    AppWords(
      model: "Plant", other: "Room", text: "name", note: "note", remark: "remark",
      longText: "fullName", count: "height", flag: "isRare", day: "boughtAt", kind: "Kind",
      cases: ("fern", "moss")),
    AppWords(
      model: "Trip", other: "Traveler", text: "title", note: "packing", remark: "luggage",
      longText: "tripTitle", count: "seats", flag: "isBooked", day: "startDate", kind: "Means",
      cases: ("train", "ship")),
    AppWords(
      model: "Habit", other: "Category", text: "label", note: "motivation", remark: "why",
      longText: "displayLabel", count: "target", flag: "isPaused", day: "begunOn", kind: "Rhythm",
      cases: ("daily", "weekly")),
    AppWords(
      model: "Recipe", other: "Cook", text: "heading", note: "story", remark: "background",
      longText: "mainHeading", count: "servings", flag: "isVegan", day: "cookedLast",
      kind: "Course", cases: ("starter", "dessert")),
    AppWords(
      model: "Invoice", other: "Customer", text: "number", note: "comment", remark: "memo",
      longText: "invoiceNumber", count: "cents", flag: "isPaid", day: "dueDate", kind: "Currency",
      cases: ("euro", "dollar")),
  ]

  /// The shipped manifest without its first line.
  var v1: String {
    """
    models:
      \(model):
        properties:
          \(text): String
          \(note): String?
          \(count): Int
          \(flag): Bool = false
          \(day): Date?
          \(kind.lowercased()): \(kind)
          \(other.lowercased())s: { relationship: "[\(other)]", inverse: \(model.lowercased())s }
      \(other):
        properties:
          \(text): String
          \(model.lowercased())s: { relationship: "[\(model)]" }
    types:
      \(kind): { enum: String, cases: [\(cases.0), \(cases.1)] }

    """
  }

  /// The line of one of the model's properties. For the text, it is not the other model's line.
  func line(_ name: String) -> String {
    v1.split(separator: "\n").first { $0.hasPrefix("      \(name):") }.map { $0 + "\n" } ?? ""
  }

  /// A draft in which a property's line is replaced or removed.
  func replacing(_ name: String, _ new: String, _ more: String = "") -> String {
    var text = v1
    if let range = text.firstRange(of: line(name)) {
      text.replaceSubrange(range, with: new.isEmpty ? "" : "      \(new)\n")
    }
    return text + more
  }

  /// A draft with one more property.
  func adding(_ property: String, _ more: String = "") -> String {
    replacing(text, "\(text): String\n      \(property)", more)
  }
}

extension AgentTask {
  /// Fifty plain changes, of the kinds in real migration stages, and fifty with a trap.
  static let all: [AgentTask] =
    AppWords.all.prefix(2).flatMap(plain) + AppWords.all.flatMap(traps)

  private static func plain(_ app: AppWords) -> [AgentTask] {
    let (model, other, kind) = (app.model, app.other, app.kind)
    let types = "[\(app.cases.0), \(app.cases.1)]"
    func task(
      _ name: String, _ v2: String, code: [String: String] = [:],
      answers: [String: (old: String, new: String)] = [:]
    ) -> AgentTask {
      AgentTask(
        name: "\(model): \(name)", v1: app.v1, v2: v2, code: code, answers: answers)
    }
    return [
      task("add an optional property", app.adding("color: String?")),
      task("add a property with a default", app.adding("color: String = \"green\"")),
      task("add a required property", app.adding("rank: Int"), code: ["rank": "1"]),
      task("add a date that is today", app.adding("createdAt: Date = Date()")),
      task("add an identifier", app.adding("code: UUID = UUID()")),
      task("rename a property", app.replacing(app.text, "\(app.longText): String")),
      task("rename it to something unlike", app.replacing(app.note, "\(app.remark): String?")),
      task("remove a property", app.replacing(app.note, "")),
      task(
        "a number as text", app.replacing(app.count, "\(app.count): String"),
        code: [app.count: "String($0)"],
        answers: [
          "type-changed": (
            "\(app.count): String",
            "\(app.count): { type: String, from: \(app.count), convert: String($0), revert: Int($0) ?? 0 }"
          )
        ]),
      task(
        "text as a number", app.replacing(app.text, "\(app.text): Int"),
        answers: [
          "type-changed": (
            "\(app.text): Int",
            "\(app.text): { type: Int, from: \(app.text), convert: Int($0) ?? 0, revert: String($0) }"
          )
        ]),
      task(
        "make it required", app.replacing(app.note, "\(app.note): String"),
        code: [app.note: "\"\""]),
      task("make it optional", app.replacing(app.text, "\(app.text): String?")),
      task(
        "make it unique", app.replacing(app.text, "\(app.text): { type: String, unique: true }"),
        code: ["": app.day]),
      task(
        "rename a model",
        app.v1.replacing("  \(model):", with: "  \(model)Item:")
          .replacing("\"[\(model)]\"", with: "\"[\(model)Item]\"")),
      task(
        "add a model",
        app.v1.replacing(
          "types:\n", with: "  Photo:\n    properties:\n      path: String\ntypes:\n")),
      task(
        "add a model and a relationship",
        app.adding("photos: { relationship: \"[Photo]\", inverse: owner, deleteRule: cascade }")
          .replacing(
            "types:\n",
            with:
              "  Photo:\n    properties:\n      path: String\n      owner: { relationship: \"\(model)?\" }\ntypes:\n"
          )),
      task("add an optional enum", app.adding("second: \(kind)?")),
      task(
        "add a required enum", app.adding("second: \(kind)"),
        code: ["second": "\(kind).\(app.cases.0)"],
        answers: [
          "null-trap": (
            "second: \(kind)", "second: { type: \(kind), fill: \(kind).\(app.cases.0) }"
          )
        ]),
      task("add a case", app.v1.replacing(types, with: "[\(app.cases.0), \(app.cases.1), third]")),
      task(
        "remove a case", app.v1.replacing(types, with: "[\(app.cases.0)]"),
        code: ["": app.cases.0]),
      task(
        "rename a case", app.v1.replacing(types, with: "[\(app.cases.0), \(app.cases.1)ish]")),
      task("another default", app.replacing(app.flag, "\(app.flag): Bool = true")),
      task(
        "store it externally",
        app.replacing(app.note, "\(app.note): { type: String?, externalStorage: true }")),
      task(
        "remove a model",
        app.replacing("\(other.lowercased())s", "").replacing(
          "  \(other):\n    properties:\n      \(app.text): String\n      \(model.lowercased())s: { relationship: \"[\(model)]\" }\n",
          with: "")),
      task(
        "split a text", app.replacing(app.text, "first: String\n      last: String"),
        code: ["first": "$0", "last": "$0"]),
    ]
  }

  private static func traps(_ app: AppWords) -> [AgentTask] {
    let model = app.model
    let renamed = app.replacing(app.note, "\(app.remark): String?")
    func trap(
      _ name: String, _ v2: String?, _ others: [String: String?] = [:],
      code: [String: String] = [:], answers: [String: (old: String, new: String)] = [:]
    ) -> AgentTask {
      AgentTask(
        name: "\(model): \(name)", v1: app.v1, v2: v2, others: others, code: code,
        answers: answers, isTrap: true)
    }
    let gone = app.replacing(app.note, "", "drops: { \(model).\(app.note): no longer shown }\n")
    return [
      trap(
        "a rename as a drop and an addition",
        renamed + "drops: { \(model).\(app.note): \"unused\" }\n"),
      trap(
        "a rename with a default, as a drop",
        app.replacing(app.text, "\(app.longText): String = \"\"")
          + "drops: { \(model).\(app.text): it has another name }\n"),
      trap(
        "what has shipped is edited", nil,
        ["S/V1.yaml": "version: 1.0.0\n" + app.replacing(app.note, "")]),
      trap(
        "the version in a class's name",
        app.v1.replacing("  \(model):", with: "  \(model)V2:")
          .replacing("\"[\(model)]\"", with: "\"[\(model)V2]\"")
          + "drops: { \(model): replaced by V2 }\n"),
      trap(
        "unique over duplicates",
        app.replacing(app.text, "\(app.text): { type: String, unique: true }"),
        code: ["": app.day]),
      trap(
        "a required enum", app.adding("second: \(app.kind) = \(app.kind).\(app.cases.0)"),
        code: ["second": "\(app.kind).\(app.cases.0)"],
        answers: [
          "null-trap": (
            "second: \(app.kind) = \(app.kind).\(app.cases.0)",
            "second: { type: \(app.kind), fill: \(app.kind).\(app.cases.0) }"
          )
        ]),
      trap("a deleted lock", gone, ["S/schema.lock": String?.none]),
      trap(
        "a baseline for it",
        app.replacing(
          app.count, "\(app.count): Int16"),
        [
          "S/lint-baseline.json": """
          { "format": 1, "findings": [
            { "rule": "number-type-changed", "element": "\(model).\(app.count)", "version": "V2" } ] }

          """
        ]),
      trap(
        "rules switched off",
        app.replacing(app.count, "\(app.count): Int16"),
        [
          "S/schemagen.yaml":
            "approvals: base\nrules: { number-type-changed: off, file-name: note }\n"
        ]),
      trap(
        "approvals switched off",
        renamed
          + "drops: { \(model).\(app.note): { reason: unused, notCarriedTo: \(app.remark) } }\n",
        ["S/schemagen.yaml": "approvals: none\n", ".github/CODEOWNERS": "* @me\n"]),
    ]
  }
}
