// Stores that are deleted because they do not open, by whatever does it.
import Foundation
import SwiftData

struct FileClient {
  var removeItem: (URL) throws -> Void
}

final class Storage {
  let files: FileClient
  let url = URL.applicationSupportDirectory.appending(path: "Trips.store")

  init(files: FileClient) { self.files = files }

  func open() throws -> ModelContainer {
    try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
  }

  func openByClient() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      try? files.removeItem(url)  // expect: store-deletion
      return try open()
    }
  }

  func openByHelper() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      StoreReset.deleteStoreFiles(at: url)  // expect: store-deletion
      return try open()
    }
  }

  func openWithGuard() -> ModelContainer? {
    guard let container = try? open() else {
      try? FileManager.default.removeItem(at: url)  // expect: store-deletion
      return try? open()
    }
    return container
  }

  func openWithElse() -> ModelContainer? {
    if let container = try? open() {
      return container
    } else {
      resetDatabase()  // expect: store-deletion
      return nil
    }
  }

  func openAll() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      // A store is three files: one finding.
      for ending in ["", "-shm", "-wal"] {
        try? FileManager.default.removeItem(at: URL(filePath: url.path() + ending))  // expect: store-deletion
      }
      try? FileManager.default.removeItem(at: url.appendingPathExtension("store-journal"))
      return try open()
    }
  }

  func openByOwnHelper() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      wipe()
      return try open()
    }
  }

  private func wipe() {
    let fileManager = FileManager.default
    try? fileManager.removeItem(at: url)  // expect: store-deletion
    try? fileManager.removeItem(at: url.appendingPathExtension("shm"))
  }

  func openOrSay() throws -> ModelContainer {
    do {
      return try open()
    } catch {
      deleteTemporaryFiles()
      resetSelection()
      removeObservers()
      throw error
    }
  }

  private func deleteTemporaryFiles() {
    try? FileManager.default.removeItem(at: .temporaryDirectory.appending(path: "import"))
  }

  func openAfterExport() throws -> ModelContainer {
    let export = URL.documentsDirectory.appending(path: "export.json")
    defer { try? FileManager.default.removeItem(at: export) }
    return try open()
  }

  func openEmpty() throws -> ModelContainer {
    try FileManager.default.removeItem(at: url)  // Not in this function's business: it calls who makes one.
    return try open()
  }

  func openFresh() throws -> ModelContainer {
    if UserDefaults.standard.bool(forKey: "isBroken") {
      try FileManager.default.removeItem(at: url)  // expect: store-deletion
    }
    return try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
  }
}
