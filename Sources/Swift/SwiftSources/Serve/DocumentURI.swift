internal import Foundation

/// A file's path, and its address as editors write it.
enum DocumentURI {
  /// The path of a `file:` address; nil for what is on no disk.
  static func path(_ uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst(7)
    guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else {
      return nil
    }
    // What is behind a question mark or a number sign is not the file's: those would be written as %3F and %23.
    let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
    return String(path).removingPercentEncoding
  }

  /// The address of an absolute path.
  static func uri(_ path: String) -> String {
    var text = "file://"
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-._~/".unicodeScalars.contains(scalar)
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
