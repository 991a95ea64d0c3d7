internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftChecks
internal import SwiftSources
internal import SwiftSyntax

/// The answers in comments of the app's classes: `// schemagen:fill "none"`.
///
/// After `schemagen:` follow a manifest's key and its value. Swift is written without YAML's quotes. An answer may name
/// its version: `// schemagen:V3 fill "none"`. Without a version, an answer counts until a version has shipped with it.
struct ClassComments {
  /// The comments on a property or a model for one version.
  struct Said {
    var version: VersionNumber?
    /// The property with only the keys that comments give.
    var property: Property?
    var model: Model?
    var keys: Set<String> = []
    var location: Place
    /// Errors in the comments for the property as it is now. They do not matter if a shipped version has the answers.
    var problems: [Diagnostic] = []
    fileprivate var lines: [Line] = []

    func place(of keys: [String]) -> Place? { lines.first { keys.contains($0.key) }?.place }
  }

  /// A removal that a comment explains.
  struct SaidDrop {
    var version: VersionNumber?
    var drop: Drop
    var location: Place
  }

  /// A case of an enum that a comment calls renamed.
  struct SaidCase {
    var version: VersionNumber?
    var type: String
    var name: String
    var source: Located<String>
  }

  /// The comment on a `#Unique` constraint.
  struct SaidUnique {
    var version: VersionNumber?
    var model: String
    var constraint: UniqueConstraint
    var location: Place
    /// Whether the line has other constraints too. Then the comment is only about the new constraints.
    var isOneOfSeveral: Bool
  }

  /// A comment that applies to no declaration, perhaps because its declaration was removed.
  struct Stray {
    fileprivate var line: Line
    var finding: Diagnostic
    var version: VersionNumber? { line.version }

    /// Whether the step to a version did what the comment requests, whatever the element.
    func isAnswer(of version: SchemaVersion) -> Bool {
      let name = line.text.prefix { $0 != ":" && $0 != " " }
      if line.key == "drop" {
        return version.drops.contains { $0.element.value.member ?? $0.element.value.owner == name }
      }
      if version.models.contains(where: { $0.sources.contains { $0.value == line.text } })
        || version.types.contains(where: { type in
          line.key == "coding"
            ? type.coding == line.text
            : line.key == "renamedFrom"
              && type.cases.contains { $0.renamedFrom?.value == line.text }
        })
      {
        return true
      }
      let said = Said(
        version: line.version, keys: [line.key], location: line.place, lines: [line])
      return version.models.contains { model in
        model.properties.contains { property in
          !property.migration.isEmpty
            && ClassComments.read(said, as: property).map { read in
              ManifestKeys.value(of: line.key, in: read)
                == ManifestKeys.value(of: line.key, in: property)
            } ?? false
        }
      }
    }
  }

  private(set) var acceptances: [Acceptance] = []
  private(set) var said: [ElementPath: [Said]] = [:]
  private(set) var uniques: [SaidUnique] = []
  private(set) var drops: [SaidDrop] = []
  private(set) var cases: [SaidCase] = []
  private(set) var codings: [String: Set<String>] = [:]
  private(set) var strays: [Stray] = []
  private(set) var findings: [Diagnostic] = []

  /// Keys whose value is Swift.
  static let codeKeys: Set<String> = ["convert", "revert", "fill", "fallback", "encodes"]
  static let stepKeys: Set<String> = ["renamedFrom", "from", "convert", "revert", "fill", "dedupe"]

  private enum Subject: Hashable {
    case element(ElementPath)
    case type(String)
    /// A type's case or field; `nil` if one line declares several.
    case part(String, String?)
    case several
    /// The `#Unique` constraints of a model on one line, each as its property names.
    case unique(String, [[String]])

    var uniqueNames: [[String]] {
      if case .unique(_, let names) = self { return names }
      return []
    }
  }

  fileprivate struct Line {
    var version: VersionNumber?
    var key: String
    var text: String
    var place: Place
  }

  private static func meant(by word: String) -> String {
    if word.first == "v", let version = VersionNumber(word.uppercased()) {
      return "a version begins with a capital letter: // schemagen:\(version.name) …"
    }
    return Suggestion.nearest(to: word, among: AnswerComment.keys).map { "did you mean '\($0)'?" }
      ?? "the words after 'schemagen:' are: accept, \(AnswerComment.keys.sorted().joined(separator: ", "))"
  }

  init(_ sources: [SwiftSource], _ version: SchemaVersion) {
    var lines: [ElementPath: [Line]] = [:]
    for source in sources {
      findMisspelt(in: source)
      let comments = source.comments(beginningWith: AcceptanceComment.word)
      guard !comments.isEmpty else { continue }
      let subjects = Self.subjects(in: source, version)
      for comment in comments {
        let (number, key, text) = AnswerComment.parts(of: comment.text)
        if key == "accept" {
          accept(comment, comment.subject.flatMap { subjects[$0] })
          continue
        }
        guard AnswerComment.keys.contains(key) else {
          refuse(
            "unknown comment 'schemagen:\(key)'", comment.location,
            [Self.meant(by: key)])
          continue
        }
        if !Self.codeKeys.contains(key), key != "drop", let second = Self.secondKey(in: text) {
          refuse(
            "a comment gives one answer, but this one has '\(second)' after the comma",
            comment.location, ["write it in a separate comment: // schemagen:\(second) …"])
          continue
        }
        let line = Line(version: number, key: key, text: text, place: comment.location)
        let subject = comment.subject.flatMap { subjects[$0] }
        if key == "drop" {
          read(drop: line, at: subject)
          continue
        }
        switch subject {
        case .element(let element)
        where AnswerComment.keys(ofMember: element.member != nil).contains(key):
          lines[element, default: []].append(line)
        case .part(let type, let name?) where key == "renamedFrom":
          cases.append(
            SaidCase(
              version: number, type: type, name: name, source: Located(text, at: line.place)))
        case .type(let type) where key == "coding": codings[type, default: []].insert(text)
        case .unique(let model, let all) where key == "dedupe":
          for names in all {
            read(dedupe: line, of: names, in: model, isOneOfSeveral: all.count > 1)
          }
        case .part(_, nil), .several:
          refuse(
            "this line has several declarations, but the comment is about one", comment.location,
            ["put that declaration on a separate line, below the comment"])
        default:
          stray(
            line, key,
            [
              key == "coding"
                ? "write it above an enum or a struct that a '@Model' class stores"
                : AnswerComment.keys(ofMember: true).contains(key)
                  ? "write it above a stored property of a '@Model' class, or at the end of its line"
                  : "write it above a '@Model' class"
            ])
        }
      }
    }
    for (element, lines) in lines.sorted(by: { $0.key < $1.key }) {
      for (number, lines) in Self.byVersion(lines) { read(element, lines, number, version) }
    }
    drops.sort { ($0.location, $0.drop.element.value) < ($1.location, $1.drop.element.value) }
  }

  /// The key of a second answer after a comma: `from a, convert $0`.
  private static func secondKey(in text: String) -> String? {
    text.split(separator: ",").dropFirst().lazy.compactMap { part in
      let words = part.split(maxSplits: 1) { $0 == " " || $0 == ":" }
      return words.count == 2 ? words.first.map(String.init) : nil
    }.first { AnswerComment.keys.contains($0) }
  }

  private mutating func findMisspelt(in source: SwiftSource) {
    for comment in source.misspeltComments {
      let (number, key, text) = AnswerComment.parts(of: comment.text)
      let keys = AnswerComment.keys.union(["accept"])
      guard let known = keys.first(where: { $0.lowercased() == key.lowercased() }) else { continue }
      let answer = ([number.map { "\($0.name) " } ?? "", known, " ", text]).joined()
      refuse(
        "this comment is not read: an answer begins with '// schemagen:'", comment.location,
        ["write // schemagen:\(answer.trimmedEnd)"])
    }
  }

  private mutating func refuse(_ message: String, _ place: Place, _ help: [String]) {
    findings.append(Diagnostic(.malformedAcceptance, message, at: place, help: help))
  }

  private mutating func stray(_ line: Line, _ answer: String, _ help: [String]) {
    let finding = Diagnostic(
      .malformedAcceptance,
      "'schemagen:\(answer)' is not above a declaration that it applies to",
      at: line.place, help: help + ["or remove it"])
    strays.append(Stray(line: line, finding: finding))
  }

  /// Groups lines by answer. A repeated key begins a new answer, since the first may already have shipped. Without a
  /// version, `fill` and `dedupe` are separate answers.
  private static func byVersion(_ lines: [Line]) -> [(VersionNumber?, [Line])] {
    func subject(_ line: Line) -> String {
      ["fill", "dedupe"].contains(line.key) ? line.key : ""
    }
    var groups: [(VersionNumber?, [Line])] = []
    for line in lines {
      if let place = groups.lastIndex(where: {
        $0.0 == line.version && (line.version != nil || subject($0.1[0]) == subject(line))
      }),
        !groups[place].1.contains(where: { $0.key == line.key })
      {
        groups[place].1.append(line)
      } else {
        groups.append((line.version, [line]))
      }
    }
    return groups
  }

  /// The declarations of a file, by their first lines and the lines of their names.
  private static func subjects(
    in source: SwiftSource, _ version: SchemaVersion
  ) -> [Int: Subject] {
    var places: [Place: Subject] = [:]
    for model in version.models {
      if let place = model.location { places[place] = .element(ElementPath(model.name)) }
      for property in model.properties {
        if let place = property.location {
          places[place] = .element(ElementPath(model.name, property.name))
        }
      }
    }
    for type in version.types {
      if let place = type.location { places[place] = .type(type.name) }
    }
    for model in version.models {
      for unique in model.uniques {
        if let place = unique.location { places[place] = .unique(model.name, [unique.names]) }
      }
    }
    var subjects: [Int: Subject] = [:]
    // If a declaration and its members share a line, a comment above the line is about the declaration, which comes
    // first.
    for node in source.syntax.all(DeclSyntax.self) {
      let names = node.nameNodes
      guard let first = names.first, let start = node.firstToken(viewMode: .sourceAccurate) else {
        continue
      }
      func add(_ subject: Subject, at line: Int) {
        for line in [line, source.location(of: start).line] where subjects[line] == nil {
          subjects[line] = subject
        }
      }
      let line = source.location(of: first).line
      let found = names.compactMap { places[source.location(of: $0)] }
      if node.is(MacroExpansionDeclSyntax.self) {
        let lines = Dictionary(grouping: names) { source.location(of: $0).line }
        for (line, names) in lines.sorted(by: { $0.key < $1.key }) {
          let uniques = names.compactMap { places[source.location(of: $0)] }
          guard case .unique(let model, _)? = uniques.first else { continue }
          add(.unique(model, uniques.flatMap(\.uniqueNames)), at: line)
        }
      } else if let subject = found.first {
        add(names.count == 1 ? subject : .several, at: line)
      } else if node.is(VariableDeclSyntax.self) || node.is(EnumCaseDeclSyntax.self),
        let owner = node.enclosingType?.nameNodes.first,
        case .type(let type)? = places[source.location(of: owner)]
      {
        add(.part(type, names.count == 1 ? first.plainText : nil), at: line)
      }
    }
    return subjects
  }

  /// Reads a comment that accepts a finding about a manifest. The checks of Swift code read the comments that accept
  /// findings about Swift.
  private mutating func accept(_ comment: SourceComment, _ subject: Subject?) {
    guard
      case .success(let read) = AcceptanceComment.read(
        comment.text, sign: "//", subject: comment.subject),
      SourceAcceptances.manifestRules.contains(read.rule)
    else { return }
    let element: ElementPath
    switch subject {
    case .element(let path): element = path
    case .type(let name), .part(let name, nil), .unique(let name, _): element = ElementPath(name)
    case .part(let type, let name): element = ElementPath(type, name)
    case .several, nil: return
    }
    acceptances.append(
      Acceptance(
        rule: Located(read.rule, at: comment.location),
        target: .element(Located(element.description, at: comment.location)), reason: read.reason,
        until: read.until.map { Located($0, at: comment.location) }))
  }

  /// Reads a comment that explains a removal. The removed element is a member of the comment's subject, or the comment
  /// has the element's full name.
  ///
  /// A name that begins with a capital letter, or has a dot, is a full name wherever the comment is, since a removed
  /// class leaves no subject for a comment.
  private mutating func read(drop line: Line, at subject: Subject?) {
    let name = line.text.prefix { $0 != ":" && $0 != " " }
    let owner: String? =
      switch subject {
      case .element(let element): element.owner
      case .type(let type), .part(let type, _), .unique(let type, _): type
      case .several, nil: nil
      }
    let isWhole = name.contains(".") || name.first?.isUppercase ?? false
    guard line.text.contains(":") else {
      return refuse(
        "the comment gives no reason", line.place, ["say why: // schemagen:drop \(name): reason"])
    }
    guard isWhole || owner != nil else {
      return stray(
        line, "drop \(name)",
        [
          "write the comment above the class that had '\(name)'",
          "or write the whole name: // schemagen:drop Model.\(name): why",
        ])
    }
    let (said, problems) = YAMLNode.reading("\n  \(line.text)", at: line.place)
    let entries = (said?.entries ?? []).map { entry in
      (isWhole ? entry.key : "\(owner ?? "").\(entry.key)", entry.value)
    }
    let (version, wrong) = Self.manifest(
      at: line.place, problems, model: ("A", [("properties", Self.node([], at: line.place))]),
      drops: entries)
    findings += wrong
    guard wrong.isEmpty else { return }
    drops += (version?.drops ?? []).map {
      SaidDrop(version: line.version, drop: $0, location: line.place)
    }
  }

  private mutating func read(
    dedupe line: Line, of names: [String], in model: String, isOneOfSeveral: Bool
  ) {
    let (rule, problems) = YAMLNode.reading(line.text, at: line.place)
    let keys = names.map { Self.node($0, at: line.place) }
    let unique = Self.node(
      [("keys", YAMLNode(.sequence(keys), at: line.place))] + (rule.map { [("dedupe", $0)] } ?? []),
      at: line.place)
    let (version, wrong) = Self.manifest(
      at: line.place, problems,
      model: (
        model,
        [
          ("properties", Self.node([], at: line.place)),
          ("unique", YAMLNode(.sequence([unique]), at: line.place)),
        ]
      ))
    findings += wrong
    guard wrong.isEmpty, let constraint = version?.models.first?.uniques.first else { return }
    uniques.append(
      SaidUnique(
        version: line.version, model: model, constraint: constraint, location: line.place,
        isOneOfSeveral: isOneOfSeveral))
  }

  /// Reads comments as the keys of a model in a manifest. References to other elements are checked in the real
  /// manifest.
  private static func manifest(
    at place: Place, _ problems: [Diagnostic], model: (name: String, keys: [(String, YAMLNode)]),
    drops: [(String, YAMLNode)] = []
  ) -> (version: SchemaVersion?, wrong: [Diagnostic]) {
    let models = node([(model.name, node(model.keys, at: place))], at: place)
    let root = node(
      [("version", node("1", at: place)), ("models", models)]
        + (drops.isEmpty ? [] : [("drops", node(drops, at: place))]), at: place)
    let read = ManifestReader().read(root)
    let wrong = (problems + read.diagnostics).filter {
      $0.severity == .error
        && ![.unknownType, .unknownModel, .unknownProperty].contains($0.rule)
    }.map { finding in
      var finding = finding
      finding.related = []
      finding.help = finding.help.map { help in
        let yaml = "put text in double quotes inside single ones: '"
        guard help.hasPrefix(yaml), help.hasSuffix("'") else { return help }
        return "put text in quotes: \(help.dropFirst(yaml.count).dropLast())"
      }
      return finding
    }
    return (read.version, wrong)
  }

  private static func node(_ entries: [(String, YAMLNode)], at place: Place) -> YAMLNode {
    YAMLNode(
      .mapping(entries.map { YAMLEntry(key: $0.0, keyLocation: $0.1.location, value: $0.1) }),
      at: place)
  }

  private static func node(_ text: String, at place: Place) -> YAMLNode {
    YAMLNode(.scalar(YAMLScalar(text, style: .block)), at: place)
  }

  private mutating func read(
    _ element: ElementPath, _ lines: [Line], _ number: VersionNumber?, _ version: SchemaVersion
  ) {
    let place = lines[0].place
    var said = Said(version: number, keys: Set(lines.map(\.key)), location: place)
    said.lines = lines
    var problems: [Diagnostic] = []
    var keys: [(String, YAMLNode)] = []
    for line in lines {
      let (value, wrong) = Self.value(line)
      problems += wrong
      if let value { keys.append((line.key, value)) }
    }
    if let member = element.member {
      guard let property = version.property(at: element) else { return }
      let kind = property.relationship == nil ? "type" : "relationship"
      keys.insert((kind, Self.node(property.type.description, at: place)), at: 0)
      // 'dedupe' requires a unique property. If the property is no longer unique, the answer is unused, but not wrong.
      if property.isUnique || said.keys.contains("dedupe") {
        keys.append(("unique", Self.node("true", at: place)))
      }
      keys = [("properties", Self.node([(member, Self.node(keys, at: place))], at: place))]
    } else {
      keys.append(("properties", Self.node([], at: place)))
    }
    let (read, wrong) = Self.manifest(at: place, problems, model: (element.owner, keys))
    if element.member == nil { findings += wrong } else { said.problems = wrong }
    guard wrong.isEmpty || element.member != nil, let model = read?.models.first else { return }
    if let member = element.member {
      said.property = wrong.isEmpty ? model.property(named: member) : nil
    } else {
      said.model = model
    }
    self.said[element, default: []].append(said)
  }

  /// Reads comments as if the property still had the type of an earlier version. `nil` if they are wrong for that type
  /// too.
  static func read(_ said: Said, as former: Property) -> Property? {
    let model = Model(name: "A", properties: [former])
    var comments = ClassComments()
    comments.read(
      ElementPath("A", former.name), said.lines, said.version,
      SchemaVersion(number: VersionNumber(1), models: [model]))
    return comments.said[ElementPath("A", former.name)]?.first?.property
  }

  private init() {}

  private static func value(_ line: Line) -> (node: YAMLNode?, problems: [Diagnostic]) {
    guard codeKeys.contains(line.key), !line.text.hasPrefix("{ function") else {
      return YAMLNode.reading(line.text, at: line.place)
    }
    let text = line.key == "encodes" ? AnswerComment.unquoted(line.text) : line.text
    return (node(text, at: line.place), [])
  }
}

extension DeclSyntax {
  fileprivate var nameNodes: [Syntax] {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.bindings.map { Syntax($0.pattern) }
    }
    if let enumCase = self.as(EnumCaseDeclSyntax.self) {
      return enumCase.elements.map { Syntax($0.name) }
    }
    if let macro = self.as(MacroExpansionDeclSyntax.self) {
      return macro.macroName.plain == "Unique" ? macro.arguments.map { Syntax($0) } : []
    }
    return asProtocol((any NamedDeclSyntax).self).map { [Syntax($0.name)] } ?? []
  }

  fileprivate var enclosingType: DeclSyntax? {
    parent?.parent?.parent?.as(MemberBlockSyntax.self)?.parent?.as(DeclSyntax.self)
  }
}

extension Syntax {
  fileprivate var plainText: String { trimmedDescription.filter { $0 != "`" } }
}
