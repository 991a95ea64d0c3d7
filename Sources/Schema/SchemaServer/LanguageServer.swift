internal import SchemaLint
package import SchemaModel
package import SchemaWorkspace

/// A session of the Language Server Protocol. It takes and returns messages, and uses no clock, threads or files
/// itself.
///
/// Unsaved text replaces the file on disk, and each folder of manifests is checked as by `schemagen lint`. Editors know
/// the keys and their meaning from the JSON Schemas.
package final class LanguageServer {
  private enum Phase { case new, running, shutDown }

  /// Checks all Swift files below the root, as `lint-code` and `snapshot` do.
  package typealias SwiftCheck = (_ root: String) -> (
    findings: [Diagnostic], sources: [String: String]
  )

  private var phase = Phase.new
  let desk: ManifestDesk
  private let version: String
  private let checkSwift: SwiftCheck?
  private var isSwiftPending = false
  /// The diagnostics that were last published, by group and path. A group is a folder, or all Swift files.
  private var published: [String: [String: JSONValue]] = [:]
  private var watchesFiles = false
  private var root: String?

  /// The status with which the program should end; nil while the session continues.
  package private(set) var exitStatus: Int32?

  /// - Parameters:
  ///   - today: The day that decides whether acceptances have expired.
  ///   - fileSystem: The files on disk, without unsaved changes.
  package init(
    version: String, today: CalendarDay, fileSystem: any FileSystem, checkSwift: SwiftCheck? = nil
  ) {
    self.version = version
    self.checkSwift = checkSwift
    desk = ManifestDesk(today: today, fileSystem: fileSystem)
  }

  // MARK: Messages

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
    case (.new, _): return call.refusal(.notInitialized, "the first request must be 'initialize'")
    case (.running, "initialize"):
      return call.refusal(.invalidRequest, "the session is already initialized")
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
      case "textDocument/codeAction": return call.answer(try actions(call.parameters))
      default: return call.refusal(.methodNotFound, "there is no method '\(call.method)'")
      }
    } catch {
      return call.refusal(.invalidParameters, "'\(error.parameter)' is missing")
    }
  }

  /// A request that cannot be answered, with the reason.
  struct Refused: Error {
    var parameter: String
  }

  private func notice(_ call: RemoteCall) -> [JSONValue] {
    if call.method == "exit" {
      exitStatus = phase == .shutDown ? 0 : 1
      return []
    }
    guard phase == .running else { return [] }
    if call.method == "initialized" { return watching() }
    if call.method == "workspace/didChangeWatchedFiles" { desk.touchAll() }
    let document = call.parameters["textDocument"]
    guard let path = document?["uri"]?.string.flatMap(DocumentURI.path) else { return [] }
    let version = document?["version"]?.integer
    switch call.method {
    case "textDocument/didOpen":
      guard let text = document?["text"]?.string else { return [] }
      desk.hold(path, text, version: version)
      isSwiftPending = isSwiftPending || path.hasSuffix(".swift")
    case "textDocument/didChange":
      // The whole text, as requested from the client.
      guard let text = call.parameters["contentChanges"]?.array?.last?["text"]?.string else {
        return []
      }
      desk.hold(path, text, version: version)
    case "textDocument/didSave":
      desk.touch(path)
      isSwiftPending = isSwiftPending || path.hasSuffix(".swift")
    case "textDocument/didClose": desk.close(path)
    default: break
    }
    return []
  }

  private func initialize(_ call: RemoteCall) -> JSONValue {
    let workspace = call.parameters["capabilities"]?["workspace"]
    watchesFiles =
      workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool == true
    let folder =
      call.parameters["workspaceFolders"]?.array?.first?["uri"] ?? call.parameters["rootUri"]
    root = folder?.string.flatMap(DocumentURI.path) ?? call.parameters["rootPath"]?.string
    phase = .running
    return call.answer([
      "capabilities": [
        "textDocumentSync": ["openClose": true, "change": 1, "save": true],
        "hoverProvider": true,
        "completionProvider": ["triggerCharacters": [" ", "[", ".", "\""]],
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      ],
      "serverInfo": ["name": "schemagen", "version": .string(version)],
    ])
  }

  /// Asks the client to report files that commands write: a lock, generated files, manifests.
  private func watching() -> [JSONValue] {
    guard watchesFiles else { return [] }
    let watchers: [JSONValue] = ["**/*.yaml", "**/*.yml", "**/schema.lock", "**/*.json"].map {
      ["globPattern": .string($0)]
    }
    let registration: JSONValue = [
      "id": "schemagen-watch", "method": "workspace/didChangeWatchedFiles",
      "registerOptions": ["watchers": .array(watchers)],
    ]
    return [
      [
        "jsonrpc": "2.0", "id": "schemagen-watch", "method": "client/registerCapability",
        "params": ["registrations": [registration]],
      ]
    ]
  }

  // MARK: Findings

  /// The findings of folders that changed since the last call.
  ///
  /// Call this when no message is waiting, so that only the last of many keystrokes is checked.
  package func pending() -> [JSONValue] {
    guard phase == .running else { return [] }
    var messages: [JSONValue] = []
    for folder in desk.takeChanged() {
      let lint = desk.lint(folder)
      messages += publish(
        lint?.findings ?? [], of: folder, lint == nil ? [] : desk.files(of: folder)
      ) {
        self.desk.text(of: $0, in: lint)
      }
    }
    if isSwiftPending, let checkSwift, let root {
      isSwiftPending = false
      let (findings, sources) = checkSwift(root)
      let swift = findings.filter { $0.location?.file.hasSuffix(".swift") == true }
      messages += publish(swift, of: "*.swift", []) { path in
        self.desk.document(path)?.text ?? sources[path].map(DocumentText.init)
      }
    }
    return messages
  }

  /// The diagnostics of a group of files, for each file whose diagnostics have changed.
  private func publish(
    _ findings: [Diagnostic], of group: String, _ files: [String],
    _ read: (String) -> DocumentText?
  ) -> [JSONValue] {
    var texts: [String: DocumentText?] = [:]
    func text(_ path: String) -> DocumentText? {
      if texts[path] == nil { texts[path] = .some(read(path)) }
      return texts[path] ?? nil
    }
    // A finding without a place is shown at the beginning of the folder's first file.
    let first = files.first { $0.hasSuffix("/schemagen.yaml") } ?? files.last
    var byFile: [String: [Diagnostic]] = [:]
    for file in files where desk.document(file) != nil { byFile[file] = [] }
    for finding in findings {
      if let file = finding.location?.file ?? first { byFile[file, default: []].append(finding) }
    }
    let old = published[group] ?? [:]
    var new: [String: JSONValue] = [:]
    for (file, findings) in byFile {
      var parameters: [String: JSONValue] = [
        "uri": .string(DocumentURI.uri(file)),
        "diagnostics": .array(findings.map { diagnostic($0, text) }),
      ]
      if let version = desk.document(file)?.version { parameters["version"] = .integer(version) }
      new[file] = .object(parameters)
    }
    published[group] = new
    return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { file in
      [
        "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
        "params": new[file] ?? ["uri": .string(DocumentURI.uri(file)), "diagnostics": []],
      ]
    }
  }

  func diagnostic(_ finding: Diagnostic, _ text: (String) -> DocumentText?) -> JSONValue {
    let severity =
      switch finding.severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    var members: [String: JSONValue] = [
      "range": finding.location.map { range($0, text) } ?? Self.start,
      "severity": .integer(severity), "code": .string(finding.rule.id), "source": "schemagen",
      "message": .string(
        ([finding.message] + finding.help.map { "help: \($0)" }).joined(separator: "\n")),
      "relatedInformation": .array(
        finding.related.map { related in
          [
            "location": [
              "uri": .string(DocumentURI.uri(related.location.file)),
              "range": range(related.location, text),
            ], "message": .string(related.message),
          ]
        }),
    ]
    if let page = RuleCatalog.rulesByID[finding.rule.id] {
      members["codeDescription"] = [
        "href": .string(Basis.documentation + "rules/" + page.fileName)
      ]
    }
    return .object(members)
  }

  // MARK: Places

  private static let start: JSONValue = [
    "start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0],
  ]

  private func range(_ location: SourceLocation, _ text: (String) -> DocumentText?) -> JSONValue {
    text(location.file).map { range($0.range(of: location), in: $0) } ?? Self.start
  }

  func range(_ range: Range<Int>, in document: DocumentText) -> JSONValue {
    func position(_ offset: Int) -> JSONValue {
      let position = document.position(of: offset)
      return ["line": .integer(position.line), "character": .integer(position.character)]
    }
    return ["start": position(range.lowerBound), "end": position(range.upperBound)]
  }

  /// The document of a request, and the offset of a position in it. Nil for a document that is not open.
  ///
  /// - Parameter position: Nil for the request's position.
  func place(
    _ parameters: JSONValue, _ position: JSONValue? = nil
  ) throws(Refused) -> (document: OpenDocument, offset: Int)? {
    guard let uri = parameters["textDocument"]?["uri"]?.string else {
      throw Refused(parameter: "textDocument")
    }
    let position = position ?? parameters["position"]
    guard let line = position?["line"]?.integer, let character = position?["character"]?.integer
    else { throw Refused(parameter: "position") }
    guard let document = DocumentURI.path(uri).flatMap(desk.document) else { return nil }
    return (
      document,
      document.text.offset(of: DocumentText.Position(line: line, character: character))
    )
  }
}
