internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SwiftSyntax

/// What comments beside properties and classes say that Swift cannot: `// schemagen:fill "none"`.
///
/// Behind `schemagen:` stand a manifest's key and its value; Swift stands there without YAML's quotes.
struct ClassComments {
  /// What a comment says of a property or of a model.
  struct Said {
    /// The property with the keys that comments give, and with no others.
    var property: Property?
    /// The model in the same way, without properties.
    var model: Model?
    /// The keys that comments give.
    var keys: Set<String> = []
  }

  private(set) var said: [ElementPath: Said] = [:]
  private(set) var drops: [Drop] = []
  private(set) var findings: [Diagnostic] = []

  /// Keys of a property and of a model that a comment may have; `drop` is a line of `drops:`.
  private static let propertyKeys: Set<String> = [
    "renamedFrom", "from", "convert", "revert", "fill", "dedupe", "fallback", "encodes", "inEntity",
    "entityProperty", "sortedBy",
  ]
  private static let modelKeys: Set<String> = ["renamedFrom", "from", "entity", "drop"]
  private static let allKeys = propertyKeys.union(modelKeys)
  /// Those whose value is Swift.
  private static let codeKeys: Set<String> = ["convert", "revert", "fill", "fallback"]

  /// Whether a comment is one of these, and not one that accepts a finding.
  static func isMeant(_ comment: String) -> Bool {
    allKeys.contains(key(of: comment))
  }

  private static func key(of comment: String) -> String {
    String(comment.dropFirst(AcceptanceComment.word.count).prefix { $0 != " " && $0 != ":" })
  }

  /// - Parameter version: What the classes say, with their places.
  init(_ sources: [SwiftSource], _ version: SchemaVersion) {
    var lines: [ElementPath: [(key: String, text: String, at: Place)]] = [:]
    for source in sources {
      let comments = source.comments(beginningWith: AcceptanceComment.word)
        .filter { Self.key(of: $0.text) != "accept" }
      guard !comments.isEmpty else { continue }
      let subjects = Self.subjects(in: source, version)
      for comment in comments {
        let key = Self.key(of: comment.text)
        guard Self.allKeys.contains(key) else {
          findings.append(
            Diagnostic(
              .malformedAcceptance, "unknown comment 'schemagen:\(key)'", at: comment.location,
              help: Suggestion.help(for: key, among: Self.allKeys)))
          continue
        }
        guard let element = comment.subject.flatMap({ subjects[$0] }),
          (element.member == nil ? Self.modelKeys : Self.propertyKeys).contains(key)
        else {
          findings.append(
            Diagnostic(
              .malformedAcceptance, "'schemagen:\(key)' stands at nothing that it could speak of",
              at: comment.location,
              help: [
                Self.propertyKeys.contains(key)
                  ? "write it above a stored property of a '@Model' class, or at the end of its line"
                  : "write it above a '@Model' class"
              ]))
          continue
        }
        let text = comment.text.dropFirst(AcceptanceComment.word.count + key.count)
        lines[element, default: []].append(
          (key, String(text.drop { $0 == ":" || $0 == " " }), comment.location))
      }
    }
    for (element, lines) in lines.sorted(by: { $0.key < $1.key }) { read(element, lines, version) }
  }

  /// The properties and classes of a file, by the lines at which they begin and at which their names stand.
  private static func subjects(
    in source: SwiftSource, _ version: SchemaVersion
  ) -> [Int: ElementPath] {
    var places: [Place: ElementPath] = [:]
    for model in version.models {
      if let place = model.location { places[place] = ElementPath(model.name) }
      for property in model.properties {
        if let place = property.location { places[place] = ElementPath(model.name, property.name) }
      }
    }
    var subjects: [Int: ElementPath] = [:]
    func add(_ node: some SyntaxProtocol, named name: some SyntaxProtocol) {
      let place = source.location(of: name)
      guard let element = places[place], let first = node.firstToken(viewMode: .sourceAccurate)
      else { return }
      subjects[place.line] = element
      subjects[source.location(of: first).line] = element
    }
    for node in source.syntax.all(ClassDeclSyntax.self) { add(node, named: node.name) }
    for node in source.syntax.all(VariableDeclSyntax.self) {
      for binding in node.bindings { add(node, named: binding.pattern) }
    }
    return subjects
  }

  /// Reads comments as the manifest reader would read their keys.
  private mutating func read(
    _ element: ElementPath, _ lines: [(key: String, text: String, at: Place)],
    _ version: SchemaVersion
  ) {
    // A manifest of nothing but these: what is wrong in it is wrong in the line of the same place.
    var text = "version: 1\nmodels:\n  \(element.owner):\n"
    var places: [Int: Place] = [:]
    var count = 3
    func add(_ line: String, at place: Place? = nil) {
      count += 1
      places[count] = place
      text += line + "\n"
    }
    var said = Said()
    said.keys = Set(lines.map(\.key))
    if let member = element.member {
      guard let property = version.property(at: element) else { return }
      add("    properties:")
      add("      \(YAMLText.quoted(member)):")
      add(
        "        \(property.relationship == nil ? "type" : "relationship"): "
          + YAMLText.quoted(property.type.description))
      for line in lines {
        add("        \(line.key): \(Self.value(line.key, line.text))", at: line.at)
      }
    } else {
      for line in lines where line.key != "drop" {
        add("    \(line.key): \(Self.value(line.key, line.text))", at: line.at)
      }
      add("    properties: {}")
      if lines.contains(where: { $0.key == "drop" }) {
        add("drops:")
        for line in lines where line.key == "drop" {
          add("  \(element.owner).\(line.text)", at: line.at)
        }
      }
    }
    let read = ManifestReader().read(SourceFile(path: "", text: text))
    // What it refers to stands elsewhere, and is looked up in the manifest.
    let wrong = read.diagnostics.filter {
      $0.severity == .error
        && ![.unknownType, .unknownModel, .unknownProperty].contains($0.rule)
    }
    for var finding in wrong {
      finding.location = finding.location.flatMap { places[$0.line] } ?? lines[0].at
      finding.related = []
      findings.append(finding)
    }
    guard wrong.isEmpty, let model = read.version?.models.first else { return }
    drops += read.version?.drops ?? []
    if let member = element.member {
      said.property = model.property(named: member)
    } else {
      said.model = model
    }
    self.said[element] = said
  }

  private static func value(_ key: String, _ text: String) -> String {
    codeKeys.contains(key) && !text.hasPrefix("{ function") ? YAMLText.singleQuoted(text) : text
  }
}
