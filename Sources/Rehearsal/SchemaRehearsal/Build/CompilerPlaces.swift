internal import SchemaModel

/// Finds where the author can correct compiler errors in a rehearsal's package: in the user's file, or in the manifest
/// with the expression.
struct CompilerPlaces {
  /// An expression of a manifest.
  private struct Expression {
    /// The text before, between and after `$0`, `$1`, …, which generated code replaces by values. Whitespace is left
    /// out, since generated code breaks lines. If the text is too short, the generated code before it comes first.
    var pieces: [String]
    var location: SourceLocation
    /// The version as in file names: `V2`.
    var version: String
    /// Whether the text is too short to be found without the code before it on its line.
    var isShort: Bool

    /// - Parameter target: The generated code to which the expression is assigned: `size=`, `size:Int=`.
    init?(
      _ text: String, to target: String, at location: SourceLocation?, in version: SchemaVersion
    ) {
      guard let location else { return nil }
      self.location = location
      self.version = version.number.name.replacing(".", with: "_")
      pieces = text.split(separator: /\$[0-9]+/).map { $0.filter { !$0.isWhitespace } }
        .filter { !$0.isEmpty }
      isShort = pieces.reduce(0) { $0 + $1.count } <= 5
      if isShort { pieces.insert(target.filter { !$0.isWhitespace }, at: 0) }
    }

    var weight: Int { pieces.reduce(0) { $0 + $1.count } }

    func stands(in text: String) -> Bool {
      var rest = text[...]
      for piece in pieces {
        guard let found = rest.firstRange(of: piece) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }

    func mention(in file: String) -> Int? {
      var found: Int?
      for range in file.ranges(of: version) {
        let next = file[range.upperBound...].first
        if next?.isNumber != true, next != "_" {
          found = file.distance(from: file.startIndex, to: range.lowerBound)
        }
      }
      return found
    }
  }

  private let folder: String
  private let files: [String: ScratchPackage.File]
  private let expressions: [Expression]
  private let newest: String?

  init(_ files: [ScratchPackage.File], in folder: String, manifests: [SchemaVersion]) {
    self.folder = folder
    self.files = Dictionary(files, keyedBy: \.path)
    newest = manifests.last?.number.name.replacing(".", with: "_")
    expressions = manifests.flatMap(Self.expressions)
      .sorted { $0.weight > $1.weight }
  }

  /// The lines of errors with the places that the author can correct, without duplicates.
  func told(_ lines: [Substring]) -> [String] {
    var seen: Set<String> = []
    return lines.map(told).filter { seen.insert($0).inserted }
  }

  func own(_ lines: [Substring]) -> [BuildFailure.Place] {
    var seen: Set<String> = []
    return lines.compactMap { line in
      guard let error = Error(line, below: folder), let column = error.column,
        let original = files[error.path]?.original,
        seen.insert("\(original):\(error.line):\(column)").inserted
      else { return nil }
      return BuildFailure.Place(
        file: original, line: error.line, column: column, told: told(line))
    }
  }

  /// The parts of a compiler's line: `PATH:LINE:COLUMN: error: …`.
  private struct Error {
    /// The path relative to the folder.
    var path: String
    var line: Int
    var column: Int?
    var message: Substring

    init?(_ text: Substring, below folder: String) {
      guard text.hasPrefix(folder + "/") else { return nil }
      let parts = text.dropFirst(folder.count + 1)
        .split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let line = Int(parts[1]) else { return nil }
      path = String(parts[0])
      self.line = line
      column = Int(parts[2])
      message = parts[3]
    }
  }

  /// `…/Generated/V1ToV2Rows.swift:12:34: error: …` as `Schemas/V2.yaml:9:20: error: …`.
  private func told(_ line: Substring) -> String {
    guard let error = Error(line, below: folder), let file = files[error.path] else {
      return String(line)
    }
    if let original = file.original {
      return original + line.dropFirst(folder.count + 1 + error.path.count)
    }
    guard let place = place(error.line, in: file) else { return String(line) }
    return "\(place.file):\(place.line):\(place.column):\(error.message)"
  }

  /// The place of the expression from which a line of a generated file is made; nil if there may be several.
  private func place(_ number: Int, in file: ScratchPackage.File) -> SourceLocation? {
    let lines = String(decoding: file.contents, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    func text(_ numbers: some Sequence<Int>) -> String {
      numbers.map { lines[$0] }.joined().filter { !$0.isWhitespace }
    }
    let line = number - 1
    let around = max(0, line - 2)...min(lines.count - 1, line + 2)
    let (own, all, others) = (text([line]), text(around), text(around.filter { $0 != line }))
    // This line may contain only a part of an expression with line breaks.
    let found = expressions.filter {
      $0.stands(in: own) || !$0.isShort && $0.stands(in: all) && !$0.stands(in: others)
    }
    guard let best = found.first else { return nil }
    return place(among: found.filter { $0.weight == best.weight }, in: file)
  }

  /// The place of one of several equal expressions. It is in the version that the file's name contains, or in the
  /// newest version if the name contains none.
  private func place(
    among alike: [Expression], in file: ScratchPackage.File
  ) -> SourceLocation? {
    let name = String(file.path.split(separator: "/").last ?? "")
    let mentions = alike.map { $0.mention(in: name) }
    let last = mentions.compactMap(\.self).max()
    let hasVersion = name.contains(/V[0-9]/)
    let meant =
      last != nil
      ? zip(alike, mentions).filter { $0.1 == last }.map(\.0)
      : hasVersion ? alike : alike.filter { $0.version == newest }
    guard let first = meant.first, meant.allSatisfy({ $0.location == first.location }) else {
      return nil
    }
    return first.location
  }

  private static func expressions(_ version: SchemaVersion) -> [Expression] {
    let properties = version.models.flatMap(\.properties)
    func written(_ conversion: Located<Conversion>, _ name: String) -> Expression? {
      guard case .expression(let expression) = conversion.value else { return nil }
      return Expression(
        expression.text, to: "\(name)=", at: conversion.location, in: version)
    }
    let conversions = properties.flatMap { property in
      let migration = property.migration
      return [migration.convert, migration.fill].map {
        $0.flatMap { written($0, property.name) }
      }
        + zip(migration.revert, migration.from.map(\.value) + [property.name]).map {
          written($0.conversion, $1)
        }
    }
    let defaults = properties.flatMap { property in
      let attribute = property.attribute
      return [attribute?.defaultValue, attribute?.fallback, property.initializerDefault].map {
        $0.flatMap {
          Expression(
            $0.text, to: "\(property.name):\(property.type)=", at: property.location, in: version)
        }
      }
    }
    let fields = version.types.flatMap { type -> [Expression?] in
      guard !type.isOwn, case .structure(let fields) = type.kind else { return [] }
      return fields.map { field in
        field.defaultValue.flatMap {
          Expression(
            $0.text, to: "\(field.name):\(field.type)=", at: field.location, in: version)
        }
      }
    }
    let drops = version.drops.map { drop in
      drop.revert.flatMap {
        Expression(
          $0.text, to: "\(drop.element.value.member ?? "")=", at: drop.element.location, in: version
        )
      }
    }
    let expectations = version.expectations.map { expectation -> Expression? in
      guard case .holds(let expression) = expectation.claim else { return nil }
      return Expression(
        expression.text, to: "return ", at: expectation.location, in: version)
    }
    return (conversions + defaults + fields + drops + expectations).compactMap { $0 }
  }
}
