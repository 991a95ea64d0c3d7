import SchemaModel
import SchemaWorkspace
import SwiftAdoption
import SwiftChecks
import TestSupport
import Testing

/// Sources that no person wrote: every search in them ends.
///
/// No time is measured. Each source is so large that a search slower than linear would run for hours.
@Suite struct LargeSourceTests {
  /// The rules of the findings in a file of the app, by line.
  private func found(_ text: String) -> [String] {
    let lint = SourceLint(
      files: [SourceFile(path: "App/App.swift", text: "import SwiftData\n" + text)],
      manifests: Example.appManifests, folder: Example.appFolder, today: CalendarDay("2026-01-01")!)
    return lint.findings.map { "\($0.location?.line ?? 0) \($0.rule.id)" }
  }

  private func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map { line($0) + "\n" }.joined()
  }

  @Test func aVariableWithThousandsOfValues() {
    let text = """
      func open() {
        var url = URL(filePath: "/")
      \(lines(3000) { "  url = url.appending(path: \"\($0)\")" })
        do {
          _ = try ModelContainer(for: Trip.self, migrationPlan: MigrationPlan.self)
        } catch {
          try? FileManager.default.removeItem(at: url)
        }
      }
      """
    #expect(found(text) == ["3008 store-deletion"])
  }

  private func opening(_ code: String, failing: String = "show(error)") -> String {
    """
    func open() throws {
      do {
        _ = try ModelContainer(for: Trip.self, migrationPlan: MigrationPlan.self)
      } catch {
        \(failing)
      }
    \(code)
    }
    """
  }

  @Test func aChainOfThousandsOfCalls() {
    #expect(found(opening("  make" + String(repeating: "()", count: 9000))) == [])
    let chain = "  files" + String(repeating: ".removeItem(at: url)", count: 5000)
    #expect(found(opening(chain)) == ["8 store-deletion"])
  }

  @Test func thousandsOfRecoveries() {
    let code = lines(2500) { _ in "  do { try open() } catch { fatalError() }" }
    #expect(found(opening(code)).count == 2500)
  }

  @Test func thousandsOfFunctionsBelowAStage() {
    let text = """
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in step0(context) }, didMigrate: nil)
      \(lines(4000) { "func step\($0)(_ context: ModelContext) { step\($0 + 1)(context) }" })
      func step4000(_ context: ModelContext) { context.insert(ActiveTrip()) }
      """
    #expect(found(text) == ["4006 active-in-migration"])
  }

  private func adopted(_ text: String) -> SourceAdoption {
    let files = [SourceFile(path: "App/App.swift", text: "import SwiftData\n" + text)]
    return SourceAdoption.adopt(
      files, options: SourceAdoption.Options(folder: "Schemas"), fileSystem: MemoryFiles(files)
    ) { _ in [] }
  }

  @Test func anInitializerOfThousandsOfStatements() {
    let adopt = adopted(
      """
      @Model final class Trip {
        var days: Int
        init(hours: Int) {
      \(lines(5000) { "    let day\($0) = hours / \($0 + 1)" })
          self.days = day7
        }
      }
      """)
    #expect(adopt.findings.contains { $0.message.hasPrefix("'init(hours:)' of 'Trip'") })
  }
}
