// Written once by schemagen, and yours since then: it is never overwritten.

#if canImport(SwiftUI)
  import Foundation
  import SchemaMigrationKit
  import SwiftUI

  /// Shows people the progress of an update of their data, and its failure.
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
          if let seconds = progress.timeLeft {
            Text("About \(Int(seconds.rounded(.up))) seconds left").font(.footnote)
          }
          Text("Please keep the app open.").font(.footnote)
        case .validating(let progress):
          ProgressView("Checking your data", value: progress.fraction)
        case .restoring(let progress):
          ProgressView("Restoring your data", value: progress.phaseFraction)
        case .completed:
          ProgressView("Done")
        case .paused(let failure):
          // The coordinator continues by itself, but people may be faster.
          Text(verbatim: failure.localizedDescription).font(.headline)
          Text(verbatim: failure.recoverySuggestion ?? "").font(.footnote)
          Button("Try Again") {
            _Concurrency.Task { await coordinator.retry() }
          }
        case .failed(let failure):
          MigrationFailureView(coordinator: coordinator, failure: failure)
        }
      }
      .padding()
      .task { await coordinator.checkAndPerformMigration() }
    }
  }

  /// Shows what has failed, where the backup is, and what people can do.
  struct MigrationFailureView<Container: Sendable>: View {
    let coordinator: MigrationCoordinator<Container>
    let failure: MigrationFailure

    @State private var salvaged: [URL] = []
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
          _Concurrency.Task { await coordinator.retry() }
        }
        if let backup = failure.backup {
          export("Export Backup", [backup])
        } else if !salvaged.isEmpty {
          export("Export Data", salvaged)
        } else {
          Button("Export Readable Data") { salvage() }
            .disabled(isSalvaging)
        }
        if let trouble {
          Text(verbatim: trouble).font(.footnote)
        }
      }
    }

    @ViewBuilder
    private func export(_ title: LocalizedStringKey, _ files: [URL]) -> some View {
      #if os(tvOS)
        Text(verbatim: files.map(\.lastPathComponent).joined(separator: ", ")).font(.footnote)
      #else
        ShareLink(items: files) { Text(title) }
      #endif
    }

    /// Writes all values that can still be read into a JSON file that people can send; two files if their data is in
    /// two places.
    private func salvage() {
      isSalvaging = true
      let migration = coordinator.migration
      let folder = FileManager.default.temporaryDirectory
      _Concurrency.Task {
        for (place, store) in migration.storesWithData.enumerated() {
          let name = place == 0 ? "data.json" : "data-\(place + 1).json"
          do {
            let salvage = StoreSalvage(of: store)
            let file = folder.appendingPathComponent(name)
            salvaged.append(try await salvage.write(to: file).file)
          } catch {
            trouble = error.localizedDescription
          }
        }
        isSalvaging = false
      }
    }
  }
#endif
