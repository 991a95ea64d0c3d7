package import SchemaModel

extension Rule {
  package static let memoryFallback = Rule(
    "memory-fallback", .warning, "An app whose store does not open does not continue in memory",
    basis: .fact(.swiftData, "apps-complaints", .certain), isAcceptable: true)
}

struct MemoryFallback: SourcePage {
  let rule = Rule.memoryFallback

  let purpose = """
    If the store does not open and the app continues with one in memory, it looks empty and seems
    to work. What people write is gone at the next launch, and nothing tells them so. Show that
    the store could not be opened, and keep it: the next version can open it.

    The rule finds containers in memory in the `catch` or `else` of code that makes one on disk,
    and behind an `if let` of such code that returns. It ignores previews and debug builds.
    """

  let bad = [
    Example(
      """
      === App/Store.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        do {
          return try ActiveSchema.container(configurations: [])
        } catch {
          let memory = ModelConfiguration(isStoredInMemoryOnly: true)
          return try ‹ModelContainer›(for: ActiveTrip.self, configurations: memory)
        }
      }

      func makeOther() throws -> ModelContainer {
        if let container = try? ActiveSchema.container(configurations: []) { return container }
        return try ‹ActiveSchema.container›(
          configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
      }
      """,
      finds: Array(
        repeating: .init(
          "the app continues in memory when its store does not open: what people write is gone at the next launch",
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "if the app says so: // schemagen:accept memory-fallback: REASON",
          ]), count: 2))
  ]

  let good = [
    Example(
      """
      === App/Store.swift
      import SwiftData

      func makeContainer(isTest: Bool) throws -> ModelContainer {
        if isTest {
          return try ModelContainer(
            for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        return try ActiveSchema.container(configurations: [])
      }
      """)
  ]
}
