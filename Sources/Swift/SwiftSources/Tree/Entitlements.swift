internal import Foundation
package import SchemaModel
internal import SchemaWorkspace

/// What an app's files of entitlements say of iCloud.
package struct Entitlements: Equatable, Sendable {
  /// Whether one of them lists a container, under whatever name.
  package private(set) var hasContainer = false
  /// The containers that they list first, where a build replaces nothing in their names: `iCloud.com.example.Trips`.
  package private(set) var containers: [String] = []

  package init() {}

  /// Reads files of entitlements, in the form that Xcode writes.
  package init(_ files: [SourceFile]) {
    for file in files {
      guard let list = Self.list(file.text) else { continue }
      hasContainer = true
      let names = list.components(separatedBy: "<string>").dropFirst().map {
        String($0.prefix { $0 != "<" })
      }
      if let first = names.first, first.isCloudContainer, !containers.contains(first) {
        containers.append(first)
      }
    }
  }

  /// Reads files from the disk; those that cannot be read say nothing.
  package init(paths: [String]) {
    self.init(
      paths.compactMap { path in
        ((try? Disk().read(path, limit: 65_536)) ?? nil).map { SourceFile(path: path, bytes: $0) }
      })
  }

  /// The list of containers in a file; nil where it lists none.
  private static func list(_ text: String) -> String? {
    guard
      let key = text.range(of: "com.apple.developer.icloud-container-identifiers"),
      case let rest = text[key.upperBound...].components(separatedBy: "<key>")[0],
      let list = rest.components(separatedBy: "</array>").first
    else { return nil }
    return list.contains("<string>iCloud.") || list.contains("<string>$(") ? list : nil
  }
}
