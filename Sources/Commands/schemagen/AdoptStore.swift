import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

/// `schemagen adopt --store`: writes a manifest for a store, without the app's Swift.
struct AdoptStore {
  let store: String
  let options: AdoptOptions

  func run() throws {
    let folder = FolderOptions.path(options.schemas, below: options.root)
    let path = FolderOptions.path(store, below: options.root)
    try FolderOptions.finishInterrupted(in: folder)
    let adoption: StoreAdoption
    do {
      adoption = try StoreAdoption.read(
        storeAt: URL(filePath: path), folder: folder, progress: options.progress.work.show)
    } catch {
      Output.report(error, ofStoreAt: path)
      throw ExitCode(2)
    }
    for remark in adoption.remarks { Output.error("note: \(remark.visibleInOneLine)") }
    guard !adoption.isRefused else {
      Output.report(adoption.questions, sources: adoption.sources)
      for reason in adoption.refusals { Output.error("schemagen: \(reason.visibleInOneLine)") }
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    if options.dryRun {
      for file in adoption.files { Output.write("==> \(file.path) <==\n\(file.text)\n") }
    } else {
      try AdoptedFiles.write(adoption.files, in: folder, Self.wayAround(adoption, store, folder))
    }
    Output.report(adoption.questions, sources: adoption.sources)
    Output.write(closing(adoption, path, folder))
    if !options.dryRun { Output.write(Tool.skillOffer) }
    let count = adoption.modelCount
    Output.summary(
      "\(folder): \(counted(count, "model")) \(options.dryRun ? "would be " : "")adopted"
        + (adoption.number.map { " as \($0.name)" } ?? "")
        + (adoption.unknown.isEmpty
          ? "" : ", \(adoption.unknown.count) to look up in the app's code"))
    if adoption.questions.hasErrors || adoption.isDoubtful { throw ExitCode(1) }
  }

  /// Help for a folder that already has manifests. The store may have another version, or belong to another app.
  private static func wayAround(
    _ adoption: StoreAdoption, _ store: String, _ folder: String
  ) -> String {
    guard let name = adoption.number?.name else { return "" }
    let adopt = "schemagen adopt --store \(ShellWord.quoted(store)) --schemas"
    let manifest = ShellWord.quoted(Path.join(folder, "\(name).yaml"))
    return """

        help: if the store has a version that these manifests lack: \(adopt) AdoptedStore; mv AdoptedStore/\(name).yaml \(manifest)
        help: if it is a second store of the app: \(adopt) \(ShellWord.quoted(Path.join(folder, "Second")))
      """
  }

  private func closing(_ adoption: StoreAdoption, _ path: String, _ folder: String) -> String {
    guard let number = adoption.number else { return "" }
    let count = adoption.modelCount
    var text = "\n\(number.name): \(count == 1 ? "1 model" : "\(count) models")\n"
    if !adoption.unknown.isEmpty {
      text += "\nthe store does not record everything; look these up in the app's code:\n"
      for line in adoption.unknown { text += "  \(line.visibleInOneLine)\n" }
    }
    guard !options.dryRun else { return text }
    let option = ShellWord.schemas(folder)
    text +=
      adoption.questions.hasErrors
      ? "\nanswer the questions above in the manifest, then:\n" : "\nnext:\n"
    text += "  schemagen inspect '\(path)'\(option)\n  schemagen generate\(option)\n"
    text += "  schemagen release \(number.name) --store '\(path)'\(option)\n"
    return text
  }
}

enum AdoptedFiles {
  /// Writes all files or none. If one exists already, none is written and the failure is reported.
  ///
  /// - Parameter help: Lines of help that are shown if a file exists.
  static func write(_ files: [SourceFile], in folder: String, _ help: String) throws {
    let disk = Disk()
    do throws(FileSystemError) {
      if let obstacle = try InitialFiles.obstacle(to: files, disk) {
        throw FileSystemError(path: obstacle, reason: "it exists already" + help)
      }
      try FileChange.creating(files).write(in: folder, to: disk)
    } catch {
      Output.report(error)
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    for file in files { Output.write("wrote \(file.path)\n") }
  }
}
