internal import SchemaModel

/// Explains libyaml's errors, which say what the grammar expected but not what to change.
extension ParserFailure {
  func diagnostic(in text: SourceBytes) -> Diagnostic {
    if let byteOffset { return unreadable(at: byteOffset, in: text) }
    let isOpenQuote = problem.hasPrefix("found unexpected") && context != nil
    let place = location(of: isOpenQuote ? contextMark : mark, in: text)
    let line = text.line(place.line)
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    if let tab = indentation.firstIndex(of: "\t") {
      return Diagnostic(
        .yamlSyntax, "a tab indents this line; YAML allows only spaces",
        at: SourceLocation(file: text.file, line: place.line, column: tab + 1),
        help: ["replace the tab with spaces"])
    }
    let (message, help) = wording(
      lineBefore: line.prefix(max(0, mark.column)), from: line.dropFirst(max(0, mark.column)))
    return Diagnostic(
      .yamlSyntax, message, at: place, related: related(in: text, unless: place),
      help: help.map { [$0] } ?? [])
  }

  // MARK: Bytes

  private func unreadable(at offset: Int, in text: SourceBytes) -> Diagnostic {
    guard problem != "control characters are not allowed" else {
      let code = byteValue.map { String($0, radix: 16, uppercase: true) } ?? "?"
      return Diagnostic(
        .unreadableFile, "the control character U+\(padded(code, to: 4)) is here",
        at: text.location(ofByteAt: offset),
        help: byteValue == 0
          ? ["save the file as UTF-8, if it is UTF-16"] : ["delete the character"])
    }
    let (start, byte) = text.characterStart(before: offset)
    let code = byte.map { String($0, radix: 16, uppercase: true) } ?? "?"
    return Diagnostic(
      .unreadableFile, "the file is not UTF-8: the byte 0x\(padded(code, to: 2)) is here",
      at: text.location(ofByteAt: start), help: ["save the file as UTF-8"])
  }

  private func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // MARK: Syntax

  private func wording(
    lineBefore: ArraySlice<Unicode.Scalar>, from rest: ArraySlice<Unicode.Scalar>
  ) -> (message: String, help: String?) {
    switch problem {
    case "did not find expected key":
      if let opening = valueStart(in: lineBefore), "[{\"'".unicodeScalars.contains(opening) {
        return (
          "the value ends before this: its opening \(opening) is already closed",
          "put single quotes around the whole value"
        )
      }
      return (
        "the indentation of this line matches no open mapping",
        "keys of one mapping begin in the same column"
      )
    case "mapping values are not allowed in this context":
      if valueStart(in: lineBefore) == nil {
        return (
          "a key is not expected here: the line above has a value already",
          "keys of one mapping begin in the same column"
        )
      }
      return (
        "this value contains a second ': '", "put quotes around a value that contains ': '"
      )
    case "could not find expected ':'":
      return (
        "this line is not 'key: value'", "write ':' and a space after the key"
      )
    case "did not find expected '-' indicator":
      return (
        "the list ends before this line", "items of one list begin with '- ' in the same column"
      )
    case "block sequence entries are not allowed in this context":
      return ("a list cannot begin here", "begin the list on a new line, or write it in '[ ]'")
    case "did not find expected ',' or ']'":
      return ("',' or ']' is missing before this", "items of a list are separated by commas")
    case "did not find expected ',' or '}'" where rest.starts(with: ": ".unicodeScalars):
      return (
        "',' or '}' is missing before this, or quotes around a value with ': ' in it",
        "put single quotes around the whole value, or a comma between entries"
      )
    case "did not find expected ',' or '}'":
      return ("',' or '}' is missing before this", "entries of a mapping are separated by commas")
    case "found character that cannot start any token":
      return (
        "a value cannot begin with this character", "put quotes around the value"
      )
    case "found unexpected end of stream", "found unexpected document indicator":
      return ("the quoted text is never closed", "close it with the quote that opened it")
    case "found unknown escape character":
      return (
        "'\\' with this character is not an escape in double quotes",
        "put single quotes around Swift source: they keep backslashes unchanged"
      )
    case "did not find expected node content":
      return ("a value is missing here", nil)
    case "found undefined tag handle":
      return ("tags ('!…') are not supported", "put quotes around a value that begins with '!'")
    case "did not find expected <document start>":
      return ("the document ends before this line", "a manifest is one mapping")
    case "did not find expected comment or line break":
      return ("'|' and '>' begin a block: its text is on the lines below", nil)
    case "did not find expected alphabetic or numeric character":
      return ("'&' and '*' cannot begin a value", "put quotes around the value")
    default: return (problem, nil)
    }
  }

  /// The first character of the value on a line; nil if the line does not begin with `key: `.
  private func valueStart(in line: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
    let colon = line.indices.dropFirst().first { line[$0] == " " && line[$0 - 1] == ":" }
    return colon.flatMap { line[$0...].first { $0 != " " } }
  }

  private func related(in text: SourceBytes, unless place: SourceLocation) -> [Diagnostic.Related] {
    guard let context else { return [] }
    let start = location(of: contextMark, in: text)
    guard start.line != place.line else { return [] }
    let what =
      switch context {
      case "while parsing a block mapping", "while parsing a flow mapping": "the mapping"
      case "while parsing a block collection", "while parsing a flow sequence": "the list"
      case "while scanning a quoted scalar": "the quoted text"
      case "while scanning a simple key": "the key"
      default: "what is being read"
      }
    return [Diagnostic.Related("\(what) begins here", at: start)]
  }

  private func location(of mark: Mark, in text: SourceBytes) -> SourceLocation {
    // At the end of a file, libyaml reports the line after the last, even if the last line has no line break.
    let last = text.lineCount
    guard mark.line >= last else {
      return SourceLocation(file: text.file, line: mark.line + 1, column: mark.column + 1)
    }
    return SourceLocation(file: text.file, line: last, column: text.line(last).count + 1)
  }
}
