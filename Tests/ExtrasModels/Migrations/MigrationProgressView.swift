// Written once by schemagen, and yours since then: it is never overwritten.

#if canImport(SwiftUI)
  import Foundation
  import SchemaMigrationKit
  import SwiftUI

  /// What people see while their data is updated, and when that has failed.
  ///
  /// Show it until the coordinator has a container:
  ///
  /// ```swift
  /// if let container = coordinator.container {
  ///   ContentView().modelContainer(container)
  /// } else {
  ///   MigrationProgressView(coordinator: coordinator)
  /// }
  /// ```
  struct MigrationProgressView<Container: Sendable>: View {
    let coordinator: MigrationCoordinator<Container>

    var body: some View {
      VStack(spacing: 16) {
        switch coordinator.migrationState {
        case .idle, .checking:
          ProgressView("Opening your data")
        case .backingUp(let progress), .migrating(let progress):
          ProgressView("Updating your data", value: progress.fraction)
          Text("Please keep the app open.").font(.footnote)
        case .validating:
          ProgressView("Checking your data")
        case .restoring:
          ProgressView("Putting your data back")
        case .completed:
          ProgressView("Done")
        case .failed(let failure):
          MigrationFailureView(coordinator: coordinator, failure: failure)
        }
      }
      .padding()
      .task { await coordinator.checkAndPerformMigration() }
    }
  }

  /// Says what has failed, where the backup is, and what can be done.
  struct MigrationFailureView<Container: Sendable>: View {
    let coordinator: MigrationCoordinator<Container>
    let failure: MigrationFailure

    @State private var salvaged: URL?
    @State private var trouble: String?
    @State private var isSalvaging = false

    var body: some View {
      VStack(spacing: 16) {
        Text("Your data could not be updated").font(.headline)
        Text(verbatim: failure.localizedDescription).font(.footnote)
        if let advice = failure.recoverySuggestion {
          Text(verbatim: advice).font(.footnote)
        }
        Button("Try Again") {
          Task { await coordinator.retry() }
        }
        if let backup = failure.backup {
          export("Export Backup", backup)
        } else if let salvaged {
          export("Export Data", salvaged)
        } else {
          Button("Read What Can Be Read") { salvage() }
            .disabled(isSalvaging)
        }
        if let trouble {
          Text(verbatim: trouble).font(.footnote)
        }
      }
    }

    @ViewBuilder
    private func export(_ title: LocalizedStringKey, _ file: URL) -> some View {
      #if os(tvOS)
        Text(verbatim: file.lastPathComponent).font(.footnote)
      #else
        ShareLink(item: file) { Text(title) }
      #endif
    }

    /// Writes what can still be read into a JSON file that people can send.
    private func salvage() {
      isSalvaging = true
      let migration = coordinator.migration
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("data.json")
      Task {
        do {
          let report = try await Task.detached {
            try StoreSalvage(of: migration.store, plan: migration.plan).write(to: file)
          }.value
          salvaged = report.file
        } catch {
          trouble = error.localizedDescription
        }
        isSalvaging = false
      }
    }
  }
#endif
