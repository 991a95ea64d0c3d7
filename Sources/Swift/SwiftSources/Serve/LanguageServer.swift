internal import SchemaLint
package import SchemaModel
package import SchemaWorkspace

/// A session of the Language Server Protocol: messages in, messages out, and no clock, thread or file of its own.
///
/// What a person types is laid over the disk, and each folder of manifests is checked as `schemagen lint` checks it.
package final class LanguageServer {
  private enum Phase { case new, running, shutDown }

  /// What the editor said that it understands.
  struct Client {
    var encoding = DocumentText.Encoding.utf16
    /// Whether edits may name the version of a document that they are for.
    var hasVersionedEdits = false
    var hasRenamedFiles = false
    var watchesFiles = false
    var hasRelatedPlaces = false
  }

  /// How the program that runs the session looks at Swift files: all below the root, as `lint-code` and `snapshot` do.
  package typealias SwiftCheck = (_ root: String) -> (
    findings: [Diagnostic], sources: [String: String]
  )

  private var phase = Phase.new
  private(set) var client = Client()
  let desk: ManifestDesk
  private let name: String
  private let version: String
  private let checkSwift: SwiftCheck?
  /// Whether Swift files were opened or saved since they were last looked at.
  private var isSwiftPending = false
  /// What was last published, by path.
  private var published: [String: JSONValue] = [:]
  private var watchIsAsked = false
  /// The folder that the editor works in.
  private(set) var root: String?

  /// With which status the program is to end; nil while the session goes on.
  package private(set) var exitStatus: Int32?

  /// - Parameters:
  ///   - version: The tool's.
  ///   - today: On which acceptances run out.
  ///   - fileSystem: What is below what the editor holds.
  ///   - checkSwift: Looks at Swift files; nil to leave them alone.
  package init(
    version: String, today: CalendarDay, fileSystem: any FileSystem, checkSwift: SwiftCheck? = nil
  ) {
    name = "schemagen"
    self.version = version
    self.checkSwift = checkSwift
    desk = ManifestDesk(today: today, fileSystem: fileSystem)
  }

  // MARK: Messages

  /// Takes a message; what goes back, in order.
  package func receive(_ message: JSONValue) -> [JSONValue] {
    do throws(RemoteCall.Refusal) {
      guard let call = try RemoteCall(message) else { return [] }
      guard call.id != nil else { return notice(call) }
      return [answer(call)]
    } catch {
      return [error.answer]
    }
  }

  private func answer(_ call: RemoteCall) -> JSONValue {
    switch (phase, call.method) {
    case (.new, "initialize"): return initialize(call)
    case (.new, _): return call.refusal(.notInitialized, "the first request is 'initialize'")
    case (.running, "initialize"):
      return call.refusal(.invalidRequest, "the session is initialized already")
    case (.shutDown, _): return call.refusal(.invalidRequest, "the session is shut down")
    case (.running, "shutdown"):
      phase = .shutDown
      return call.answer(.null)
    case (.running, _): break
    }
    do throws(Refused) {
      switch call.method {
      case "textDocument/hover": return call.answer(try hover(call.parameters))
      case "textDocument/completion": return call.answer(try completion(call.parameters))
      case "textDocument/definition": return call.answer(try definition(call.parameters))
      case "textDocument/codeAction": return call.answer(try actions(call.parameters))
      case "textDocument/prepareRename": return call.answer(try prepareRename(call.parameters))
      case "textDocument/rename": return call.answer(try rename(call.parameters))
      default: return call.refusal(.methodNotFound, "there is no method '\(call.method)'")
      }
    } catch {
      return call.refusal(error.failure, error.reason)
    }
  }

  /// Why a request has no answer.
  struct Refused: Error {
    var failure = RemoteCall.Failure.refused
    var reason: String

    static func parameters(_ reason: String) -> Refused {
      Refused(failure: .invalidParameters, reason: reason)
    }
  }

  private func notice(_ call: RemoteCall) -> [JSONValue] {
    if call.method == "exit" {
      exitStatus = phase == .shutDown ? 0 : 1
      return []
    }
    guard phase == .running else { return [] }
    let document = call.parameters["textDocument"]
    let path = document?["uri"]?.string.flatMap(DocumentURI.path)
    switch call.method {
    case "initialized": return watching()
    case "textDocument/didOpen":
      guard let path, let text = document?["text"]?.string else { return [] }
      open(path, text, version: document?["version"]?.integer)
    case "textDocument/didChange":
      guard let path else { return [] }
      desk.change(
        path, call.parameters["contentChanges"]?.array ?? [],
        version: document?["version"]?.integer, client.encoding)
    case "textDocument/didSave":
      guard let path else { return [] }
      if Self.isSwift(path) { isSwiftPending = true } else { desk.touch(path) }
    case "textDocument/didClose":
      guard let path else { return [] }
      desk.close(path)
      if Self.isSwift(path), !desk.hasOpen(where: Self.isSwift) { return clearSwift() }
    case "workspace/didChangeWatchedFiles": desk.touchAll()
    default: break
    }
    return []
  }

  private func open(_ path: String, _ text: String, version: Int?) {
    desk.open(path, text, version: version)
    if Self.isSwift(path) { isSwiftPending = true }
  }

  private static func isSwift(_ path: String) -> Bool { path.hasSuffix(".swift") }

  // MARK: Lifecycle

  private func initialize(_ call: RemoteCall) -> JSONValue {
    let parameters = call.parameters
    let capabilities = parameters["capabilities"]
    let encodings = capabilities?["general"]?["positionEncodings"]?.array?.compactMap(\.string)
    if encodings?.contains(DocumentText.Encoding.utf8.rawValue) == true { client.encoding = .utf8 }
    let workspace = capabilities?["workspace"]
    let edits = workspace?["workspaceEdit"]
    client.hasVersionedEdits = edits?["documentChanges"]?.bool == true
    client.hasRenamedFiles =
      client.hasVersionedEdits
      && edits?["resourceOperations"]?.array?.contains("rename") == true
    client.watchesFiles =
      workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool == true
    client.hasRelatedPlaces =
      capabilities?["textDocument"]?["publishDiagnostics"]?["relatedInformation"]?.bool == true
    let folder =
      parameters["workspaceFolders"]?.array?.first?["uri"]?.string
      ?? parameters["rootUri"]?.string
    root = folder.flatMap(DocumentURI.path) ?? parameters["rootPath"]?.string
    phase = .running
    return call.answer([
      "capabilities": [
        "positionEncoding": .string(client.encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "hoverProvider": true,
        "completionProvider": ["triggerCharacters": [" ", ":", "{", "[", ".", "\""]],
        "definitionProvider": true,
        "renameProvider": ["prepareProvider": true],
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      ],
      "serverInfo": ["name": .string(name), "version": .string(version)],
    ])
  }

  /// Asks to be told what commands write beside the editor: a lock, generated files, manifests.
  private func watching() -> [JSONValue] {
    guard client.watchesFiles, !watchIsAsked else { return [] }
    watchIsAsked = true
    let watchers: [JSONValue] = ["**/*.yaml", "**/*.yml", "**/schema.lock", "**/*.json"].map {
      ["globPattern": .string($0)]
    }
    return [
      [
        "jsonrpc": "2.0", "id": "schemagen-watch", "method": "client/registerCapability",
        "params": [
          "registrations": [
            [
              "id": "schemagen-watch", "method": "workspace/didChangeWatchedFiles",
              "registerOptions": ["watchers": .array(watchers)],
            ]
          ]
        ],
      ]
    ]
  }

  // MARK: Findings

  /// What there is to say since the last time: findings of folders in which something changed.
  ///
  /// Called when no message waits, so that of many keystrokes only the last is looked at.
  package func pending() -> [JSONValue] {
    guard phase == .running else { return [] }
    var messages: [JSONValue] = []
    for folder in desk.takeChanged() {
      let lint = desk.lint(folder)
      messages += publish(
        lint?.findings ?? [], in: desk.isOpen(folder) ? desk.files(of: folder) : [], of: folder
      ) { self.desk.text(of: $0, in: lint) }
    }
    if isSwiftPending, let checkSwift, let root {
      isSwiftPending = false
      let (findings, sources) = checkSwift(root)
      let swift = findings.filter { $0.location.map { Self.isSwift($0.file) } ?? false }
      var texts: [String: DocumentText] = [:]
      for finding in swift {
        guard let file = finding.location?.file, texts[file] == nil else { continue }
        texts[file] = desk.document(file)?.text ?? sources[file].map(DocumentText.init)
      }
      messages += publish(swift, in: [], of: Self.swiftGroup) { texts[$0] }
    }
    return messages
  }

  /// What findings of Swift files are published for: all of them together.
  private static let swiftGroup = "*.swift"
  /// Which files have findings of a folder's.
  private var filesOfGroup: [String: Set<String>] = [:]

  private func clearSwift() -> [JSONValue] {
    publish([], in: [], of: Self.swiftGroup) { _ in nil }
  }

  /// The findings of a group of files, where they are others than the last time.
  private func publish(
    _ findings: [Diagnostic], in files: [String], of group: String,
    _ text: (String) -> DocumentText?
  ) -> [JSONValue] {
    var byFile: [String: [Diagnostic]] = [:]
    var texts: [String: DocumentText?] = [:]
    func known(_ path: String) -> DocumentText? {
      if let found = texts[path] { return found }
      let found = text(path)
      texts[path] = .some(found)
      return found
    }
    for file in files { byFile[file] = [] }
    for file in filesOfGroup[group] ?? [] { byFile[file] = [] }
    // What has no place is shown where the folder's first file begins.
    let first = files.first { $0.hasSuffix("/schemagen.yaml") } ?? files.last
    for finding in findings {
      guard let file = finding.location?.file ?? first else { continue }
      byFile[file, default: []].append(finding)
    }
    var messages: [JSONValue] = []
    for (file, findings) in byFile.sorted(by: { $0.key < $1.key }) {
      let document = desk.document(file)
      var parameters: [String: JSONValue] = [
        "uri": .string(document?.uri ?? DocumentURI.uri(file)),
        "diagnostics": .array(findings.map { diagnostic($0, known) }),
      ]
      if let version = document?.version { parameters["version"] = .integer(version) }
      let value = JSONValue.object(parameters)
      guard published[file] != value else { continue }
      // Nothing was there and nothing is: only who opened the file waits for that.
      if findings.isEmpty, published[file] == nil, document == nil { continue }
      published[file] = findings.isEmpty && document == nil ? nil : value
      messages.append([
        "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": value,
      ])
    }
    filesOfGroup[group] = Set(byFile.filter { !$0.value.isEmpty }.keys)
    return messages
  }

  /// A finding as the protocol has it.
  func diagnostic(_ finding: Diagnostic, _ text: (String) -> DocumentText?) -> JSONValue {
    let severity =
      switch finding.severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    var members: [String: JSONValue] = [
      "range": finding.location.map { range($0, text) } ?? Self.start,
      "severity": .integer(severity), "code": .string(finding.rule.id), "source": .string(name),
      "message": .string(
        ([finding.message] + finding.help.map { "help: \($0)" }).joined(separator: "\n")),
    ]
    if let page = RuleCatalog.rulesByID[finding.rule.id] {
      members["codeDescription"] = [
        "href": .string(Basis.documentation + "rules/" + page.fileName)
      ]
    }
    if client.hasRelatedPlaces, !finding.related.isEmpty {
      members["relatedInformation"] = .array(
        finding.related.map { related in
          [
            "location": [
              "uri": .string(uri(related.location.file)), "range": range(related.location, text),
            ], "message": .string(related.message),
          ]
        })
    }
    return .object(members)
  }

  // MARK: Places

  private static let start: JSONValue = [
    "start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0],
  ]

  func uri(_ path: String) -> String { desk.document(path)?.uri ?? DocumentURI.uri(path) }

  func range(_ location: SourceLocation, _ text: (String) -> DocumentText?) -> JSONValue {
    guard let document = text(location.file) else {
      // Nothing is known of the line: all of it.
      let line = JSONValue.integer(max(0, location.line - 1))
      return [
        "start": ["line": line, "character": 0],
        "end": ["line": line, "character": .integer(max(0, location.column - 1))],
      ]
    }
    return range(
      document.range(of: location, isManifest: !Self.isSwift(location.file)), in: document)
  }

  func range(_ range: Range<Int>, in document: DocumentText) -> JSONValue {
    func position(_ offset: Int) -> JSONValue {
      let position = document.position(of: offset, client.encoding)
      return ["line": .integer(position.line), "character": .integer(position.character)]
    }
    return ["start": position(range.lowerBound), "end": position(range.upperBound)]
  }

  /// The document and the scalar that a request is about; nil for a document that is not open.
  func place(_ parameters: JSONValue) throws(Refused) -> (
    document: OpenDocument, offset: Int, line: Int
  )? {
    guard let uri = parameters["textDocument"]?["uri"]?.string else {
      throw .parameters("'textDocument' is missing")
    }
    guard let line = parameters["position"]?["line"]?.integer,
      let character = parameters["position"]?["character"]?.integer
    else { throw .parameters("'position' is missing") }
    guard let document = DocumentURI.path(uri).flatMap(desk.document) else { return nil }
    let position = DocumentText.Position(line: line, character: character)
    let offset = document.text.offset(of: position, client.encoding)
    return (document, offset, document.text.position(of: offset, client.encoding).line)
  }
}
