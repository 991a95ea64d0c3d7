internal import SchemaModel

/// What a name is for, which decides what it may be.
enum NameKind: String {
  case model, property, entity, type, `case`, field, function, module
  case entityProperty = "entity's property"
  case transformer = "value transformer"

  var allowsKeywords: Bool {
    switch self {
    case .property, .case, .field, .entityProperty: true
    default: false
    }
  }

  func reason(against name: String) -> String? {
    switch self {
    case .property: return SwiftIdentifier.reservedPropertyNames[name]
    case .model, .entity, .type:
      guard
        SwiftIdentifier.reservedTypeNames.contains(name)
          || StorageType.Primitive.bySwiftName[name] != nil
      else { return nil }
      return "generated code uses '\(name)' for another type"
    case .case, .field, .entityProperty:
      let words: Set<String> = ["Type", "Protocol", "self", "Self", "init"]
      if words.contains(name) { return "'\(name)' has another meaning after a '.'" }
      if self == .case, name == "allCases" { return "CaseIterable declares 'allCases' itself" }
      return nil
    case .function, .module, .transformer: return nil
    }
  }
}

extension NodeInterpreter {
  mutating func name(_ entry: YAMLEntry, as kind: NameKind) -> Located<String>? {
    text(entry).flatMap { name($0, as: kind) }
  }

  mutating func name(_ source: SourceText, as kind: NameKind) -> Located<String>? {
    isName(source.text, at: source.location, as: kind)
      ? Located(source.text, at: source.location) : nil
  }

  /// Reports a name that is not allowed.
  mutating func isName(_ name: String, at location: SourceLocation, as kind: NameKind) -> Bool {
    guard kind == .case ? SwiftIdentifier.isAnyName(name) : SwiftIdentifier.isValid(name) else {
      reportInvalid(name, at: location, as: kind)
      return false
    }
    if kind == .property, SwiftIdentifier.shippedPropertyNames.contains(name) {
      guard isShipped else {
        report(
          .reservedName,
          "a \(kind.rawValue) cannot be called '\(name)': \(kind.reason(against: name) ?? "")",
          at: location, help: wayOut(name, as: kind))
        // The previous version may have the name, which is checked once all manifests are read.
        return true
      }
      let isOfModels = name == "isDeleted"
      report(
        .reservedName,
        isOfModels
          ? "PersistentModel and Core Data's objects also declare 'isDeleted'"
          : kind.reason(against: name) ?? "",
        at: location,
        help: (isOfModels
          ? ["code that sees the row as a PersistentModel reads whether it is being deleted"] : [])
          + [
            "whether Core Data returns the stored value is unverified: test it, and rename the property in the next version"
          ], severity: .warning)
      return true
    }
    if let reason = kind.reason(against: name) {
      report(
        .reservedName, "a \(kind.rawValue) cannot be called '\(name)': \(reason)", at: location,
        help: wayOut(name, as: kind))
      return false
    }
    if !kind.allowsKeywords, SwiftIdentifier.keywords.contains(name) {
      report(
        .reservedName, "a \(kind.rawValue) cannot be called '\(name)': it is a Swift keyword",
        at: location, help: ["choose another name"])
      return false
    }
    return true
  }

  /// Reads a name that refers to a declaration elsewhere, where the name is checked.
  mutating func reference(_ node: YAMLNode, named what: String) -> Located<String>? {
    guard let source = text(node, named: what) else { return nil }
    guard SwiftIdentifier.isAnyName(source.text) else {
      reportInvalid(source.text, at: source.location, as: nil)
      return nil
    }
    return Located(source.text, at: source.location)
  }

  mutating func reference(_ entry: YAMLEntry) -> Located<String>? {
    reference(pointed(entry), named: "'\(entry.key)'")
  }

  mutating func references(_ entry: YAMLEntry) -> [Located<String>] {
    if case .sequence = entry.value.content { return references(entry.value, named: entry.key) }
    return reference(entry).map { [$0] } ?? []
  }

  mutating func references(_ node: YAMLNode, named key: String) -> [Located<String>] {
    guard let items = items(of: node, named: "'\(key)'") else { return [] }
    if items.isEmpty {
      report(.wrongValue, "'\(key)' is empty", at: node.location)
    }
    let names = items.compactMap { reference($0, named: "a name in '\(key)'") }
    return distinct(names, in: "'\(key)'")
  }

  mutating func distinct(
    _ names: [Located<String>], in what: String, correction: Correction? = nil
  ) -> [Located<String>] {
    var first: [String: SourceLocation?] = [:]
    return names.filter { name in
      if let place = first.updateValue(name.location, forKey: name.value) {
        reportDuplicate(
          "'\(name.value)' appears twice in \(what)", at: name.location, first: place,
          correction: correction)
        return false
      }
      return true
    }
  }

  mutating func reportDuplicate(
    _ message: String, at location: SourceLocation?, first: SourceLocation?, help: [String] = [],
    correction: Correction? = nil
  ) {
    report(
      .duplicateName, message, at: location,
      related: first.map { [Diagnostic.Related("the first occurrence is here", at: $0)] } ?? [],
      help: help,
      correction: correction)
  }

  private mutating func reportInvalid(
    _ name: String, at location: SourceLocation, as kind: NameKind?
  ) {
    let what = kind.map { "a \($0.rawValue)'s name" } ?? "a name"
    let shown = name.unicodeScalars.count > 40 ? String(name.prefix(40)) + "…" : name
    let trimmed = name.trimmingSpaces()
    report(
      .invalidName,
      name.isEmpty
        ? "\(what) is missing"
        : SwiftIdentifier.isAnyName(name)
          ? "'\(shown)' cannot be \(what) here" : "'\(shown)' is not \(what) in Swift",
      at: location,
      help: trimmed != name && SwiftIdentifier.isValid(trimmed)
        ? ["write '\(trimmed)', without spaces"]
        : ["a name is a letter or '_', then letters A–Z, digits and '_', at most 128"])
  }

  private func wayOut(_ name: String, as kind: NameKind) -> [String] {
    guard kind == .property else {
      return kind == .model
        ? [
          "if no build with this name has shipped, choose another name",
          "if such a build has shipped, schemagen cannot manage this store: a new name would get an empty table",
        ] : ["choose another name"]
    }
    let words = ["self", "Type", "init"]
    if words.contains(name) { return ["choose another name"] }
    return ["choose another name; with 'entityProperty: \(name)' the entity keeps this one"]
  }
}
