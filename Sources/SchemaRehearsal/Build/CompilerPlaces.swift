internal import SchemaModel

/// Says of compiler errors in a rehearsal's package where their author can correct them: in the user's own file, or in
/// the manifest whose expression stands there.
struct CompilerPlaces {
  /// An expression of a manifest.
  private struct Expression {
    /// Its text around `$0`, `$1`, …, without spaces: generated code has values there, and breaks lines.
    var pieces: [String]
    var location: SourceLocation

    init?(_ text: String, at location: SourceLocation?) {
      guard let location else { return nil }
      self.location = location
      pieces = text.split(separator: /\$[0-9]+/).map { $0.filter { !$0.isWhitespace } }
        .filter { !$0.isEmpty }
    }

    /// How much of it says which expression it is.
    var weight: Int { pieces.reduce(0) { $0 + $1.count } }

    func stands(in text: String) -> Bool {
      var rest = text[...]
      for piece in pieces {
        guard let found = rest.firstRange(of: piece) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }
  }

  private let folder: String
  private let files: [String: ScratchPackage.File]
  private let expressions: [Expression]

  /// - Parameter folder: Where the files lie.
  init(_ files: [ScratchPackage.File], in folder: String, manifests: [SchemaVersion]) {
    self.folder = folder
    self.files = Dictionary(files, keyedBy: \.path)
    expressions = manifests.flatMap(Self.expressions).filter { $0.weight > 5 }
      .sorted { $0.weight > $1.weight }
  }

  /// The lines of errors, each told once.
  func told(_ lines: [Substring]) -> [String] {
    var seen: Set<String> = []
    return lines.map(told).filter { seen.insert($0).inserted }
  }

  /// `…/Generated/V1ToV2Rows.swift:12:34: error: …` as `Schemas/V2.yaml:9:20: error: …`.
  private func told(_ line: Substring) -> String {
    guard line.hasPrefix(folder + "/") else { return String(line) }
    let rest = line.dropFirst(folder.count + 1)
    let parts = rest.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[1]), let file = files[String(parts[0])] else {
      return String(line)
    }
    if let original = file.original { return original + rest.dropFirst(parts[0].count) }
    guard let place = place(number, in: file) else { return String(line) }
    return "\(place.file):\(place.line):\(place.column):\(parts[3])"
  }

  /// Where the one expression stands that a line of a generated file is made of; nil where it may be another.
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
    // One that is broken over lines has a part in this one.
    let found = expressions.filter {
      $0.stands(in: own) || $0.stands(in: all) && !$0.stands(in: others)
    }
    guard let best = found.first else { return nil }
    let alike = found.prefix { $0.weight == best.weight }
    return alike.allSatisfy { $0.location == best.location } ? best.location : nil
  }

  private static func expressions(_ version: SchemaVersion) -> [Expression] {
    let steps = version.models.flatMap(\.properties).map(\.migration)
    let conversions =
      steps.compactMap(\.convert) + steps.compactMap(\.fill)
      + steps.flatMap(\.revert).map(\.conversion)
    let defaults = version.models.flatMap(\.properties).flatMap { property in
      [
        property.attribute?.defaultValue, property.attribute?.fallback, property.initializerDefault,
      ].map {
        $0.flatMap { Expression($0.text, at: property.location) }
      }
    }
    let drops = version.drops.map { drop in
      drop.revert.flatMap { Expression($0.text, at: drop.element.location) }
    }
    let written = conversions.map { conversion -> Expression? in
      guard case .expression(let expression) = conversion.value else { return nil }
      return Expression(expression.text, at: conversion.location)
    }
    return (written + defaults + drops).compactMap { $0 }
  }
}
