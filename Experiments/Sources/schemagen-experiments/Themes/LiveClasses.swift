import Foundation
import SwiftData

// Today's classes as half of all apps with several versions have them: at the top level, beside copies of what older
// versions had.

@Model final class Diary {
  var name: String
  var pages: Int = 0
  private(set) var mood: String = "calm"
  @Relationship(inverse: \DiaryEntry.diary) var entries: [DiaryEntry] = []

  /// What it takes says nothing of what is stored.
  init(titled title: String) { name = title }
}

@Model final class DiaryEntry {
  var text: String
  var diary: Diary?

  init(text: String, in diary: Diary?) {
    self.text = text
    self.diary = diary
  }
}

enum Diaries {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Diary.self, DiaryEntry.self] }
    @Model final class Diary {
      var name: String
      @Relationship(inverse: \V1.DiaryEntry.diary) var entries: [V1.DiaryEntry] = []
      init(name: String) { self.name = name }
    }
    @Model final class DiaryEntry {
      var text: String
      var diary: V1.Diary?
      init(text: String) { self.text = text }
    }

    static func fill(_ context: ModelContext) throws {
      let diary = V1.Diary(name: "a")
      let entry = V1.DiaryEntry(text: "x")
      context.insert(diary)
      context.insert(entry)
      entry.diary = diary
    }
  }

  /// Today's classes.
  enum Live: Second {
    static var models: [any PersistentModel.Type] {
      [Today.Diary.self, Today.DiaryEntry.self]
    }

    static func fill(_ context: ModelContext) throws {
      let diary = Today.Diary(titled: "b")
      diary.pages = 2
      context.insert(diary)
      context.insert(Today.DiaryEntry(text: "y", in: diary))
    }
  }

  /// The same, once they have shipped: a copy that nobody edits.
  enum Frozen: Second {
    static var models: [any PersistentModel.Type] { [Diary.self, DiaryEntry.self] }
    @Model final class Diary {
      var name: String
      var pages: Int = 0
      var mood: String = "calm"
      @Relationship(inverse: \Frozen.DiaryEntry.diary) var entries: [Frozen.DiaryEntry] = []
      init(name: String) { self.name = name }
    }
    @Model final class DiaryEntry {
      var text: String
      var diary: Frozen.Diary?
      init(text: String) { self.text = text }
    }
  }

  static func live(_ context: ModelContext) throws -> [String] {
    try context.rows(Today.Diary.self) { diary in
      "\(diary.name) \(diary.pages) \(diary.mood) \(diary.entries.map(\.text))"
    }
  }

  static func frozen(_ context: ModelContext) throws -> [String] {
    try context.rows(Frozen.Diary.self) { diary in
      "\(diary.name) \(diary.pages) \(diary.mood) \(diary.entries.map(\.text))"
    }
  }
}

/// What a version calls today's classes: its own nested names would mean its own copies.
enum Today {
  typealias Diary = LiveDiary
  typealias DiaryEntry = LiveDiaryEntry
}

typealias LiveDiary = Diary
typealias LiveDiaryEntry = DiaryEntry

extension Experiment {
  static var liveClasses: [Experiment] {
    [
      upgrade(
        "live-class-beside-frozen",
        "today's class at the top level and an older version's nested one may have one name",
        facts: ["swiftdata#live-class-beside-frozen"],
        partly: ["swiftdata#name-belongs-to-first-type"], from: Diaries.V1.self,
        to: Diaries.Live.self, fill: Diaries.V1.fill, .sees("a 0 calm [\"x\"]")
      ) { context, _ in try Diaries.live(context) },
      neutral(
        "frozen-copy-is-the-same", "a frozen copy is one version with the class that was copied",
        facts: ["swiftdata#frozen-copy-is-the-same"], from: Diaries.Live.self,
        to: Diaries.Frozen.self, fill: Diaries.Live.fill, sees: ["b 2 calm [\"y\"]"]
      ) { context, _ in try Diaries.frozen(context) },
      Experiment(
        id: "live-and-frozen-at-once",
        claim: "one process reads one store by today's class and by its frozen copy",
        partly: ["swiftdata#name-belongs-to-first-type", "swiftdata#frozen-copy-is-the-same"],
        steps: [
          step("by both", .sees("b 2 calm [\"y\"]", "b 2 calm [\"y\"]", "b 2 calm [\"y\"]")) {
            folder in
            try folder.write(Diaries.Live.self, Diaries.Live.fill)
            return try Diaries.frozen(folder.open(Diaries.Frozen.self))
              + Diaries.live(folder.open(Diaries.Live.self))
              + Diaries.frozen(folder.open(Diaries.Frozen.self))
          }
        ]),
      Experiment(
        id: "row-of-backing-data",
        claim: "a row can be made without an initialiser of the class's own",
        facts: ["swiftdata#row-of-backing-data"],
        steps: [
          step("make rows, and set their values", .sees([])) { folder in
            try folder.write(Diaries.Live.self) { context in
              let diary = LiveDiary(backingData: LiveDiary.createBackingData())
              diary.name = "c"
              diary.pages = 3
              diary.setValue(forKey: \.mood, to: "glad")
              context.insert(diary)
              let entry = LiveDiaryEntry(backingData: LiveDiaryEntry.createBackingData())
              entry.text = "z"
              context.insert(entry)
              entry.diary = diary
            }
            return []
          },
          step("read them", .sees("c 3 glad [\"z\"]")) { folder in
            try Diaries.live(folder.open(Diaries.Live.self))
          },
        ]),
    ]
  }
}
