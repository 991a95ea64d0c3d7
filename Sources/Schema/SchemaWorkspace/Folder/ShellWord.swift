/// Quotes words of commands that are printed for people to run.
package enum ShellWord {
  /// A word quoted for a shell, if necessary.
  package static func quoted(_ text: String) -> String {
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
