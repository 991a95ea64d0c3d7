internal import Foundation
internal import SchemaReporting

/// Converts between a file's path and its address as editors write it.
enum DocumentURI {
  static func path(_ uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst(7)
    guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else {
      return nil
    }
    // A question mark or a number sign ends the path. In a name, the two signs are written as %3F and %23.
    let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
    return String(path).removingPercentEncoding
  }

  static func uri(_ path: String) -> String { "file://" + URIText.path(path) }
}
