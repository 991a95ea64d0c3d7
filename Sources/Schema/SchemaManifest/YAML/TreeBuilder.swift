internal import CLibYAML
internal import SchemaModel

/// Builds nodes from libyaml's events, with its own stack to avoid recursion.
struct TreeBuilder {
  static let deepest = 32
  static let mostFindings = 50

  private(set) var diagnostics: [Diagnostic] = []
  private(set) var wantsMore = true
  private let file: String
  private var node: YAMLNode?
  private var open: [Frame] = []
  private var isTrusted = true
  private var hasDocument = false

  init(file: String) { self.file = file }

  var root: YAMLNode? { isTrusted ? node : nil }

  mutating func take(_ event: borrowing yaml_event_t) {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: beginDocument(event)
    case YAML_SCALAR_EVENT: addScalar(event)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      refuseProperties(event, anchor: start.anchor, tag: start.tag)
      begin(.sequence, event)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      refuseProperties(event, anchor: start.anchor, tag: start.tag)
      begin(.mapping, event)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: end(event)
    case YAML_ALIAS_EVENT: refuseAlias(event)
    case YAML_STREAM_END_EVENT: finish()
    default: break
    }
  }

  /// Stops reading with a finding that makes the rest of the file untrustworthy.
  mutating func stop(with diagnostic: Diagnostic) {
    isTrusted = false
    wantsMore = false
    diagnostics.append(diagnostic)
  }

  // MARK: Documents

  private mutating func beginDocument(_ event: borrowing yaml_event_t) {
    guard hasDocument else {
      hasDocument = true
      return
    }
    stop(
      with: Diagnostic(
        .yamlUnsupported, "a second document begins here; a manifest is one document",
        at: location(event), help: ["put each version into a separate file"]))
  }

  private mutating func finish() {
    wantsMore = false
    guard !hasDocument else { return }
    diagnostics.append(
      Diagnostic(
        .emptyFile, "the file is empty, or has only comments",
        at: SourceLocation(file: file)))
  }

  // MARK: Nodes

  private mutating func begin(_ kind: Frame.Kind, _ event: borrowing yaml_event_t) {
    guard open.last?.wantsKey != true else {
      stop(
        with: Diagnostic(
          .yamlUnsupported, "a key must be one word, not a list or a mapping", at: location(event),
          help: ["put quotes around a value that begins with '{' or '['"]))
      return
    }
    guard open.count < Self.deepest else {
      stop(
        with: Diagnostic(
          .yamlUnsupported, "lists and mappings nest more than \(Self.deepest) deep",
          at: location(event)))
      return
    }
    open.append(Frame(kind, at: location(event)))
  }

  private mutating func end(_ event: borrowing yaml_event_t) {
    guard let frame = open.popLast() else { return }
    var location = frame.location
    if location.line == event.end_mark.line + 1 {
      location.length = max(1, event.end_mark.column + 1 - location.column)
    }
    add(YAMLNode(frame.content, at: location))
  }

  private mutating func addScalar(_ event: borrowing yaml_event_t) {
    let scalar = event.data.scalar
    // libyaml drops the tag `!`, and only reports that the scalar is no longer plain.
    let isTagged = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.plain_implicit == 0
    refuseProperties(event, anchor: scalar.anchor, tag: scalar.tag, isTagged: isTagged)
    let text = String(
      decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    let style: YAMLScalar.Style =
      switch scalar.style {
      case YAML_PLAIN_SCALAR_STYLE: .plain
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
      default: .quoted
      }
    let location = location(event)
    guard open.last?.wantsKey == true else {
      add(YAMLNode(.scalar(YAMLScalar(text, style: style)), at: location))
      return
    }
    addKey(YAMLScalar(text, style: style), at: location)
  }

  private mutating func addKey(_ key: YAMLScalar, at location: SourceLocation) {
    var entryIsKept = true
    if key.isNothing {
      isTrusted = false
      report(.yamlSyntax, "a key is missing before ':'", at: location)
    } else if key.style == .block {
      isTrusted = false
      report(.yamlUnsupported, "a key must be one word, not a block of text", at: location)
    } else if key.style == .plain, key.text == "<<" {
      isTrusted = false
      report(
        .yamlUnsupported, "merge keys ('<<') are not supported", at: location,
        help: ["write out the keys that it would merge: a manifest is self-contained"])
    } else if let first = open[open.count - 1].firstPlace(of: key.text) {
      entryIsKept = false
      report(
        .duplicateKey, "the key '\(key.text)' appears twice in one mapping", at: location,
        related: [Diagnostic.Related("the first occurrence is here", at: first)])
    }
    open[open.count - 1].key = Frame.Key(text: key.text, location: location, isKept: entryIsKept)
  }

  private mutating func add(_ value: YAMLNode) {
    guard !open.isEmpty else {
      node = value
      return
    }
    open[open.count - 1].append(value)
  }

  // MARK: Unsupported YAML

  private mutating func refuseProperties(
    _ event: borrowing yaml_event_t, anchor: UnsafeMutablePointer<yaml_char_t>?,
    tag: UnsafeMutablePointer<yaml_char_t>?, isTagged: Bool = false
  ) {
    if let anchor {
      report(
        .yamlUnsupported, "anchors ('&\(String(cString: anchor))') are not supported",
        at: start(of: event), help: ["write the value out at each place"])
    }
    if tag != nil || isTagged {
      report(
        .yamlUnsupported, "tags ('!…') are not supported", at: start(of: event),
        help: ["put quotes around a value that begins with '!'"])
    }
  }

  private mutating func refuseAlias(_ event: borrowing yaml_event_t) {
    let name = event.data.alias.anchor.map { String(cString: $0) } ?? ""
    isTrusted = false
    report(
      .yamlUnsupported, "aliases ('*\(name)') are not supported", at: location(event),
      help: ["write the value out, or put quotes around a value that begins with '*'"])
    if open.last?.wantsKey == true {
      addKey(YAMLScalar("*" + name, style: .quoted), at: location(event))
    } else {
      add(YAMLNode(.scalar(YAMLScalar("")), at: location(event)))
    }
  }

  private mutating func report(
    _ rule: Rule, _ message: String, at location: SourceLocation,
    related: [Diagnostic.Related] = [], help: [String] = []
  ) {
    diagnostics.append(Diagnostic(rule, message, at: location, related: related, help: help))
    if diagnostics.count >= Self.mostFindings {
      isTrusted = false
      wantsMore = false
    }
  }

  // MARK: Places

  private func location(_ event: borrowing yaml_event_t) -> SourceLocation {
    var location = start(of: event)
    if event.end_mark.line == event.start_mark.line {
      location.length = max(1, event.end_mark.column - event.start_mark.column)
    }
    return location
  }

  private func start(of event: borrowing yaml_event_t) -> SourceLocation {
    SourceLocation(
      file: file, line: event.start_mark.line + 1, column: event.start_mark.column + 1)
  }
}

/// A list or a mapping that is still open.
private struct Frame {
  enum Kind { case sequence, mapping }

  struct Key {
    var text: String
    var location: SourceLocation
    var isKept: Bool
  }

  let kind: Kind
  let location: SourceLocation
  var key: Key?
  private var items: [YAMLNode] = []
  private var entries: [YAMLEntry] = []
  private var places: [String: SourceLocation] = [:]

  init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  var wantsKey: Bool { kind == .mapping && key == nil }

  var content: YAMLNode.Content { kind == .mapping ? .mapping(entries) : .sequence(items) }

  func firstPlace(of key: String) -> SourceLocation? { places[key] }

  mutating func append(_ value: YAMLNode) {
    guard let key else {
      items.append(value)
      return
    }
    self.key = nil
    guard key.isKept else { return }
    entries.append(YAMLEntry(key: key.text, keyLocation: key.location, value: value))
    places[key.text] = key.location
  }
}
