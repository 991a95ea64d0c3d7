// Deletions where containers are made, of files that hold nobody's data.
import Foundation
import SwiftData

struct StagedImport {
  func read(_ archive: URL) throws -> Int {
    let staging = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.copyItem(at: archive, to: staging)
    defer { try? FileManager.default.removeItem(at: staging) }
    let container = try ActiveSchema.container(configurations: [ModelConfiguration(url: staging)])
    return try ModelContext(container).fetchCount(FetchDescriptor<ActiveTrip>())
  }

  func check(_ backup: URL) -> Bool {
    let folder = NSTemporaryDirectory()
    let copy = URL(filePath: folder).appending(path: "check.store")
    do {
      _ = try ActiveSchema.container(configurations: [ModelConfiguration(url: copy)])
      return true
    } catch {
      try? FileManager.default.removeItem(at: copy)
      return false
    }
  }

  func sweep() throws -> ModelContainer {
    let scratch = URL.cachesDirectory.appending(path: "scratch")
    for file in (try? FileManager.default.contentsOfDirectory(at: scratch, includingPropertiesForKeys: nil)) ?? [] {
      try? FileManager.default.removeItem(at: file)
    }
    return try ActiveSchema.container(configurations: [])
  }

  func prune(_ backups: [URL]) throws -> ModelContainer {
    backups.dropFirst(3).forEach { old in try? FileManager.default.removeItem(at: old) }
    return try ActiveSchema.container(configurations: [])
  }
}

struct DeveloperStore {
  static let url = URL.applicationSupportDirectory.appending(path: "Trips.store")

  static func open() throws -> ModelContainer {
    #if DEBUG
      if UserDefaults.standard.bool(forKey: "startEmpty") {
        try? FileManager.default.removeItem(at: url)
      }
    #endif
    return try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
  }

  static func openForUITests() throws -> ModelContainer {
    if ProcessInfo.processInfo.arguments.contains("-resetStore") {
      try? FileManager.default.removeItem(at: url)
    }
    return try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
  }

  static func openAgain() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      #if DEBUG
        wipe()
      #endif
      throw error
    }
  }

  private static func wipe() { try? FileManager.default.removeItem(at: url) }

  static func openInRelease() throws -> ModelContainer {
    #if !DEBUG
      try? FileManager.default.removeItem(at: url)  // expect: store-deletion
    #endif
    return try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
  }

  static func openInMemory() throws -> ModelContainer {
    try? FileManager.default.removeItem(at: url)
    return try ActiveSchema.container(
      configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
  }
}
