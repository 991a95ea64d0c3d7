internal import SchemaModel

/// Quotes words of commands that are printed for people to run.
package enum ShellWord {
  /// A word quoted for a shell, if necessary, with invisible characters as bytes: `$'v1\xE2\x80\x8B'`.
  package static func quoted(_ text: String) -> String {
    if text.unicodeScalars.contains(where: \.isHidden) {
      let parts = text.unicodeScalars.map { scalar in
        if scalar.isHidden {
          return String(scalar).utf8.map { byte in
            (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16, uppercase: true)
          }.joined()
        }
        return (["'", "\\"].contains(scalar) ? "\\" : "") + String(scalar)
      }
      return "$'" + parts.joined() + "'"
    }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-_./:".unicodeScalars.contains(scalar))
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// The option for a folder of manifests, with a space before it; empty for the commands' default.
  package static func schemas(_ folder: String) -> String {
    folder == "Schemas" ? "" : " --schemas \(quoted(folder))"
  }
}
