internal import Foundation
package import SchemaModel
internal import SchemaWorkspace

/// The iCloud and app group settings in an app's entitlements files.
package struct Entitlements: Equatable, Sendable {
  package private(set) var hasContainer = false
  /// The first container of each file, such as `iCloud.com.example.Trips`, unless a build replaces a part of the
  /// name.
  package private(set) var containers: [String] = []
  /// The first app group of each file, such as `group.com.example.Trips`, without files of app extensions.
  package private(set) var groups: [String] = []
  package private(set) var isSandboxed = false

  /// The compared settings in the app's own files, each as a key and a value.
  private var said: Set<[String]> = []

  /// Each relevant file contains one of these strings.
  package static let keys = [containerKey, groupKey, servicesKey, environmentKey, sandboxKey]
  private static let containerKey = "com.apple.developer.icloud-container-identifiers"
  private static let servicesKey = "com.apple.developer.icloud-services"
  private static let environmentKey = "com.apple.developer.icloud-container-environment"
  private static let sandboxKey = "com.apple.security.app-sandbox"
  private static let groupKey = "com.apple.security.application-groups"

  package init() {}

  /// Whether a project defines which files the app uses.
  private var isCertain = false

  /// Reads the files that targets use. If no project says so, all files are read.
  package init(_ files: [SourceFile], of settings: BuildSettings) {
    self.init(files.filter { settings.names($0.path) ?? true })
    isCertain = settings.entitlements != nil
  }

  /// Reads entitlements files, in the format that Xcode writes.
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

  package init(paths: [String]) {
    self.init(paths.compactMap(SourceFile.init(onDisk:)))
  }

  /// What the other entitlements lack, in words: a container, a service, or the production environment.
  package func losses(in others: Entitlements) -> [String] {
    // If no file has such settings, the app's entitlements may be in files with other names.
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

  /// The strings in a key's array, or its single string; empty if there are none.
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
  package init?(onDisk path: String) {
    guard let bytes = (try? Disk().read(path, limit: SourceTree.readLimit)) ?? nil else {
      return nil
    }
    self.init(path: path, bytes: bytes)
  }
}

extension String {
  /// Whether a folder's name says that it belongs to a widget or another app extension.
  package var isOfAppExtension: Bool {
    split(separator: "/").contains { part in
      !String(part).words.isDisjoint(with: ["widget", "widgets", "extension", "extensions"])
    }
  }
}
