package import ArgumentParser
internal import SchemaModel
internal import SchemaWorkspace

extension VersionNumber: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  package static var defaultCompletionKind: CompletionKind {
    .custom { words, _, _ in
      var folders = FolderOptions()
      folders.root = value(of: "--root", in: words)
      folders.schemas = value(of: "--schemas", in: words).map { [$0] } ?? []
      // Only the names of manifests are read. Reading their contents would be too slow for a key press.
      let names = ((try? folders.found(Disk())) ?? []).flatMap { folder in
        (try? Disk().list(folder)) ?? []
      }
      let stems = names.filter(FolderOptions.isManifest).compactMap { name in
        name.lastIndex(of: ".").map { name[..<$0] }
      }
      return Set(stems.compactMap { VersionNumber($0) }).sorted().map(\.name)
    }
  }

  private static func value(of option: String, in words: [String]) -> String? {
    words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
  }
}
