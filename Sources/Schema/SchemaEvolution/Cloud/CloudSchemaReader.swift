package import SchemaModel

/// A schema file that was read, with findings about it.
package struct CloudSchemaReading: Sendable {
  /// Everything that could be read. The schema is complete if there are no findings.
  package var schema: CloudSchema
  package var diagnostics: [Diagnostic]
}

extension CloudSchema {
  /// Reads a schema file. The time is proportional to the file's length, whatever the file contains.
  package static func read(_ file: SourceFile) -> CloudSchemaReading {
    var reader = CloudSchemaReader(file)
    return reader.read()
  }
}

/// Reads a file token by token. After a mistake it skips to the next semicolon, so all mistakes are reported.
private struct CloudSchemaReader {
  /// A mistake that was reported already. The file up to the next semicolon is skipped.
  private struct Mistake: Error {}

  private var lexer: CloudSchemaLexer
  private var token: CloudSchemaLexer.Token
  private var schema = CloudSchema()
  private var diagnostics: [Diagnostic] = []
  private var typeNames: Set<String> = []

  init(_ file: SourceFile) {
    lexer = CloudSchemaLexer(file)
    token = lexer.next()
  }

  mutating func read() -> CloudSchemaReading {
    if lexer.isEmpty {
      report("the file is empty", help: ["export the schema again"])
    } else if (try? header()) != nil {
      while token.kind != .end {
        do {
          try item()
        } catch {
          // A file with twenty mistakes is no schema file.
          if diagnostics.count >= 20 { break }
          while token.kind != .end, token.kind != .symbol(";") { advance() }
          if token.kind != .end { advance() }
        }
      }
    }
    return CloudSchemaReading(schema: schema, diagnostics: diagnostics)
  }

  // MARK: Grammar

  private mutating func header() throws(Mistake) {
    guard token.isWord("DEFINE") else {
      throw mistake(
        "a schema file begins with 'DEFINE SCHEMA', but this one does not",
        help: ["name the file that 'xcrun cktool export-schema' writes"])
    }
    advance()
    try expect("SCHEMA")
  }

  private mutating func item() throws(Mistake) {
    if token.isWord("CREATE") {
      advance()
      try expect("ROLE")
      let role = try name("a role")
      schema.roles.append(role.value)
    } else if token.isWord("RECORD") {
      advance()
      try expect("TYPE")
      let type = try recordType()
      if typeNames.insert(type.name).inserted {
        schema.recordTypes.append(type)
      } else {
        report(
          "the record type '\(type.name)' appears twice", at: type.location,
          help: ["export the schema again"])
      }
    } else {
      throw mistake("expected 'RECORD TYPE' or 'CREATE ROLE', found \(token.shown)")
    }
    try expect(symbol: ";", after: "a record type or a role")
  }

  private mutating func recordType() throws(Mistake) -> CloudSchema.RecordType {
    let name = try name("a record type")
    var type = CloudSchema.RecordType(name.value, at: name.location)
    var names: Set<String> = []
    try expect(symbol: "(", after: "a record type's name")
    while token.kind != .symbol(")") {
      if token.isWord("GRANT") {
        advance()
        type.grants.append(try grant())
      } else {
        let field = try field()
        if names.insert(field.name).inserted {
          type.fields.append(field)
        } else {
          report(
            "the field '\(field.name)' of '\(type.name)' appears twice", at: field.location,
            help: ["export the schema again"])
        }
      }
      if token.kind == .symbol(",") { advance() } else { break }
    }
    try expect(symbol: ")", after: "a field or a grant")
    return type
  }

  private mutating func field() throws(Mistake) -> CloudSchema.Field {
    let name = try name("a field")
    let type = try fieldType()
    var indexes: Set<CloudSchema.Index> = []
    while let index = CloudSchema.Index.allCases.first(where: { token.isWord($0.rawValue) }) {
      indexes.insert(index)
      advance()
    }
    return CloudSchema.Field(name.value, type, indexes, at: name.location)
  }

  private mutating func fieldType() throws(Mistake) -> CloudSchema.FieldType {
    if token.isWord("LIST") {
      advance()
      try expect(symbol: "<", after: "'LIST'")
      let (primitive, isEncrypted) = try primitive()
      try expect(symbol: ">", after: "the type of a list's elements")
      return .list(primitive, isEncrypted: isEncrypted)
    }
    if token.isWord("NUMBER") {
      advance()
      guard token.isWord("PREFERRED") else { return .number(preferred: nil) }
      advance()
      try expect("AS")
      let place = token
      let (primitive, isEncrypted) = try primitive()
      guard !isEncrypted, primitive == .int64 || primitive == .double else {
        throw mistake("'PREFERRED AS' must be followed by INT64 or DOUBLE", at: place)
      }
      return .number(preferred: primitive)
    }
    let (primitive, isEncrypted) = try primitive()
    return .single(primitive, isEncrypted: isEncrypted)
  }

  private mutating func primitive() throws(Mistake) -> (CloudType, isEncrypted: Bool) {
    let isEncrypted = token.isWord("ENCRYPTED")
    if isEncrypted { advance() }
    guard let primitive = CloudType.allCases.first(where: { token.isWord($0.rawValue) })
    else {
      let all = CloudType.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake(
        "expected a field's type, found \(token.shown)", help: ["the types are \(all)"])
    }
    if isEncrypted, !primitive.canBeEncrypted {
      throw mistake("a field of type \(primitive.rawValue) cannot be encrypted")
    }
    advance()
    return (primitive, isEncrypted)
  }

  private mutating func grant() throws(Mistake) -> CloudSchema.Grant {
    var permissions: [CloudSchema.Permission] = []
    repeat {
      if token.kind == .symbol(",") { advance() }
      guard
        let permission = CloudSchema.Permission.allCases.first(where: { token.isWord($0.rawValue) })
      else {
        throw mistake("expected READ, WRITE or CREATE, found \(token.shown)")
      }
      permissions.append(permission)
      advance()
    } while token.kind == .symbol(",")
    try expect("TO")
    return CloudSchema.Grant(permissions, to: try name("a role").value)
  }

  // MARK: Tokens

  private mutating func advance() {
    token = lexer.next()
  }

  private mutating func name(_ what: String) throws(Mistake) -> Located<String> {
    let place = lexer.location(of: token)
    switch token.kind {
    case .word(let text), .quoted(let text):
      guard !text.isEmpty else { throw mistake("the name of \(what) is empty") }
      advance()
      return Located(text, at: place)
    case .symbol, .broken, .end:
      throw mistake("expected the name of \(what), found \(token.shown)")
    }
  }

  private mutating func expect(_ word: String) throws(Mistake) {
    guard token.isWord(word) else {
      throw mistake("expected '\(word)', found \(token.shown)")
    }
    advance()
  }

  private mutating func expect(symbol: Character, after what: String) throws(Mistake) {
    guard token.kind == .symbol(symbol) else {
      throw mistake("expected '\(symbol)' after \(what), found \(token.shown)")
    }
    advance()
  }

  private mutating func mistake(
    _ message: String, at place: CloudSchemaLexer.Token? = nil, help: [String] = []
  ) -> Mistake {
    let place = place ?? token
    if case .broken(let reason) = place.kind {
      report(reason, at: lexer.location(of: place), help: help)
    } else if place.kind == .end {
      report(
        message, at: lexer.location(of: place),
        help: ["the file is cut off: export the schema again"])
    } else {
      report(message, at: lexer.location(of: place), help: help)
    }
    return Mistake()
  }

  private mutating func report(
    _ message: String, at location: SourceLocation? = nil, help: [String] = []
  ) {
    let place = location ?? lexer.location(of: token)
    diagnostics.append(Diagnostic(.brokenCloudSchema, message, at: place, help: help))
  }
}
