/// Words of commands that are printed for people to run.
package enum ShellWord {
  /// A word as a shell reads it back.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-_./:".unicodeScalars.contains(scalar))
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// The option that names a folder of manifests, with a space before it; empty for the one that commands take by themselves.
  package static func schemas(_ folder: String) -> String {
    folder == "Schemas" ? "" : " --schemas \(quoted(folder))"
  }
}
