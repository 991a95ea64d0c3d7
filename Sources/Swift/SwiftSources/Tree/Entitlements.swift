internal import Foundation
package import SchemaModel
internal import SchemaWorkspace

/// The iCloud and app group settings in an app's entitlements files.
package struct Entitlements: Equatable, Sendable {
  /// Whether any file lists a container, under any name.
  package private(set) var hasContainer = false
  /// The first container of each file, unless a build replaces a part of its name: `iCloud.com.example.Trips`.
  package private(set) var containers: [String] = []
  /// The first app group of each file, except those of widgets and other extensions: `group.com.example.Trips`.
  package private(set) var groups: [String] = []
  package private(set) var isSandboxed = false

  /// All settings about containers in the app's own files, each as the key and a value.
  private var said: Set<[String]> = []

  /// Each relevant file contains one of these.
  package static let keys = [containerKey, groupKey, servicesKey, environmentKey, sandboxKey]
  private static let containerKey = "com.apple.developer.icloud-container-identifiers"
  private static let servicesKey = "com.apple.developer.icloud-services"
  private static let environmentKey = "com.apple.developer.icloud-container-environment"
  private static let sandboxKey = "com.apple.security.app-sandbox"
  private static let groupKey = "com.apple.security.application-groups"

  package init() {}

  /// Whether a project defines which of the files the app uses.
  private var isCertain = false

  /// Takes the files that the app's targets use, if a project defines them; otherwise all files.
  package init(_ files: [SourceFile], of settings: BuildSettings) {
    self.init(files.filter { settings.names($0.path) ?? true })
    isCertain = settings.entitlements != nil
  }

  /// Reads files of entitlements, in the form that Xcode writes.
  package init(_ files: [SourceFile]) {
    for file in files {
      if !file.path.isOfAppExtension {
        isSandboxed = isSandboxed || Self.isTrue(Self.sandboxKey, file.text)
        for key in Self.compared {
          said.formUnion(Self.list(key, file.text).map { [key, $0] })
        }
        if let group = Self.list(Self.groupKey, file.text).first, !groups.contains(group) {
          groups.append(group)
        }
      }
      let names = Self.list(Self.containerKey, file.text)
      guard names.contains(where: { $0.hasPrefix("iCloud.") || $0.hasPrefix("$(") }) else {
        continue
      }
      hasContainer = true
      if let first = names.first, first.isCloudContainer, !containers.contains(first) {
        containers.append(first)
      }
    }
  }

  /// Reads files from the disk, and skips those that cannot be read.
  package init(paths: [String]) {
    self.init(paths.compactMap(SourceFile.init(onDisk:)))
  }

  /// What the other entitlements lack, in words: a container, the service, or its environment.
  package func losses(in others: Entitlements) -> [String] {
    // Without any settings, the files may have other names.
    guard others.isCertain || !others.said.isEmpty else { return [] }
    let development = [Self.environmentKey, "Development"]
    let environment =
      others.said.contains(development) && !said.contains(development)
      ? ["the environment 'Production'"] : []
    return environment
      + said.subtracting(others.said).sorted { $0.lexicographicallyPrecedes($1) }.map {
        "'\($0[1])' in '\($0[0])'"
      }
  }

  private static let compared = [containerKey, servicesKey, environmentKey]

  private static func isTrue(_ key: String, _ text: String) -> Bool {
    guard let key = text.range(of: "<key>\(key)</key>") else { return false }
    return text[key.upperBound...].drop(while: \.isWhitespace).hasPrefix("<true/>")
  }

  /// The strings in a key's list, or its single string; empty if the file has no such list.
  private static func list(_ key: String, _ text: String) -> [String] {
    guard let key = text.range(of: "<key>\(key)</key>"),
      case let rest = text[key.upperBound...].components(separatedBy: "<key>")[0],
      let list = rest.components(separatedBy: "</array>").first
    else { return [] }
    return list.components(separatedBy: "<string>").dropFirst().map {
      String($0.prefix { $0 != "<" })
    }
  }
}

extension SourceFile {
  /// Returns nil if the file cannot be read, or is too large.
  package init?(onDisk path: String) {
    guard let bytes = (try? Disk().read(path, limit: SourceTree.readLimit)) ?? nil else {
      return nil
    }
    self.init(path: path, bytes: bytes)
  }
}

extension String {
  /// Whether the folders in a path belong to a widget or another app extension, by their names.
  package var isOfAppExtension: Bool {
    split(separator: "/").contains { part in
      !String(part).words.isDisjoint(with: ["widget", "widgets", "extension", "extensions"])
    }
  }
}
