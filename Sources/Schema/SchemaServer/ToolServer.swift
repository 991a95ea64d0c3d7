internal import SchemaWorkspace

/// A session of the Model Context Protocol. A coding agent calls commands as tools, and receives their JSON.
///
/// No tool writes a manifest, approves a loss, or marks a version as shipped, which only people do.
package final class ToolServer {
  package struct Outcome {
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
      self.status = status
      self.output = output
      self.errors = errors
    }
  }

  /// The supported versions of the protocol, newest first.
  static let protocols = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  private let version: String
  private let real: (String) -> String?
  private let run: (_ arguments: [String]) -> Outcome
  private let moved: () -> [String]
  private var isInitialized = false

  /// - Parameters:
  ///   - real: Given a path relative to the root, returns it without symbolic links, or nil if it does not exist.
  ///     Returns the root itself for an empty path.
  ///   - run: Runs schemagen in the root.
  ///   - moved: Returns the folders of manifests whose classes have changes that the newest manifest lacks.
  package init(
    version: String, real: @escaping (String) -> String?,
    run: @escaping (_ arguments: [String]) -> Outcome, moved: @escaping () -> [String] = { [] }
  ) {
    self.version = version
    self.real = real
    self.run = run
    self.moved = moved
  }

  package func receive(_ message: JSONValue) -> [JSONValue] {
    do throws(RemoteCall.Refusal) {
      // A notification expects no answer, and here no notification has an effect.
      guard let call = try RemoteCall(message), call.id != nil else { return [] }
      return [answer(call)]
    } catch {
      return [error.answer]
    }
  }

  private func answer(_ call: RemoteCall) -> JSONValue {
    switch call.method {
    case "initialize": return initialize(call)
    case "ping": return call.answer([:])
    case _ where !isInitialized:
      return call.refusal(.notInitialized, "the first request must be 'initialize'")
    case "tools/list":
      return call.answer(["tools": .array(AgentTool.all.map(\.description))])
    case "tools/call": return self.call(call)
    default: return call.refusal(.methodNotFound, "there is no method '\(call.method)'")
    }
  }

  private func initialize(_ call: RemoteCall) -> JSONValue {
    isInitialized = true
    let wanted = call.parameters["protocolVersion"]?.string ?? ""
    return call.answer([
      "protocolVersion": .string(Self.protocols.contains(wanted) ? wanted : Self.protocols[0]),
      "capabilities": ["tools": [:]],
      "serverInfo": ["name": "schemagen", "version": .string(version)],
      "instructions":
        "Versioned SwiftData schemas. Edit only manifests of versions that have not shipped; call 'check' after each edit, and 'explain' with the id of a finding. Losses of data are for a person to approve.",
    ])
  }

  private func call(_ call: RemoteCall) -> JSONValue {
    guard let name = call.parameters["name"]?.string,
      let tool = AgentTool.all.first(where: { $0.name == name })
    else {
      let names = AgentTool.all.map(\.name).joined(separator: ", ")
      return call.refusal(.invalidParameters, "there is no such tool; there are: \(names)")
    }
    do throws(AgentTool.Misuse) {
      let arguments = try tool.commandLine(call.parameters["arguments"] ?? [:], real: real)
      return call.answer(result(run(arguments), of: tool))
    } catch {
      return call.answer(["content": [Self.text(error.reason)], "isError": true])
    }
  }

  private func result(_ outcome: Outcome, of tool: AgentTool) -> JSONValue {
    let value = tool.isText ? nil : JSONValue(parsing: Array(outcome.output.utf8))
    // A status other than 0 may also mean findings, in which case the output is the answer.
    let isAnswer = value?.object != nil || outcome.status == 0
    var content: [JSONValue] = []
    if !outcome.output.isEmpty { content.append(Self.text(outcome.output)) }
    if !outcome.errors.isEmpty { content.append(Self.text(outcome.errors)) }
    if content.isEmpty { content.append(Self.text("exit status \(outcome.status)")) }
    // Commands that only read manifests do not see edits of classes.
    if ["diff", "rehearse"].contains(tool.command), let folder = moved().first {
      let option = ShellWord.schemas(folder)
      content.append(
        Self.text(
          "This answer is about the manifests. The app's classes have changed since the manifests were written: 'check' says where; run 'schemagen snapshot\(option)', and ask again."
        ))
    }
    var members: [String: JSONValue] = ["content": .array(content), "isError": .bool(!isAnswer)]
    if isAnswer, let value, value.object != nil { members["structuredContent"] = value }
    return .object(members)
  }

  private static func text(_ text: String) -> JSONValue { ["type": "text", "text": .string(text)] }
}

struct AgentTool {
  struct Misuse: Error {
    var reason: String
  }

  /// A parameter of a tool: an option of the command, or its argument.
  struct Parameter {
    enum Kind {
      case text
      case flag
      case path
      case paths
      /// A name in git, or a folder below the root.
      case reference
    }

    var name: String
    var kind: Kind
    /// The option's name; nil for the argument.
    var option: String?
    var isRequired = false
    var text: String
  }

  var name: String
  var command: String
  var text: String
  var parameters: [Parameter]
  /// Whether the command's output is text, not JSON.
  var isText = false
  /// Whether the command leaves files behind, apart from manifests and sources.
  var leavesFiles = false

  private static let schemas = Parameter(
    name: "schemas", kind: .paths, option: "--schemas",
    text: "Folders of manifests; default: 'Schemas' and the folders in it.")
  private static let from = Parameter(
    name: "from", kind: .text, option: "--from", text: "The version to begin with, such as V8.")
  private static let to = Parameter(
    name: "to", kind: .text, option: "--to", text: "The version to end with, such as V9.")
  private static let against = Parameter(
    name: "against", kind: .reference, option: "--against",
    text: "A git reference to compare with, such as origin/main.")

  static let all: [AgentTool] = [
    AgentTool(
      name: "what_changed", command: "diff",
      text:
        "What changed between versions of the schema, what becomes of the data of each element, and why. With 'against', the changes since a git reference.",
      parameters: [schemas, from, to, against]),
    AgentTool(
      name: "what_becomes_of_the_data", command: "diff",
      text:
        "What the changes would do to the rows of a store, which is only read: how many are kept, converted, lost.",
      parameters: [
        schemas, from, to,
        Parameter(
          name: "store", kind: .path, option: "--store", isRequired: true,
          text: "The store's file, below the project's folder."),
      ]),
    AgentTool(
      name: "check", command: "check",
      text:
        "Everything that must hold before a commit: the app's classes and the newest manifest, generated files, manifests with their history and the lock, kept stores, approvals, and Swift code around migrations. Each finding has its place, its reason and what to write. With 'against', also the versions that have shipped according to a git reference. Changes no file.",
      parameters: [
        schemas, against,
        Parameter(
          name: "paths", kind: .paths,
          text: "Folders and files of Swift code; default: the project's folder."),
      ]),
    AgentTool(
      name: "rehearse", command: "rehearse",
      text:
        "Migrates stores full of rows through every step, with the app's own migration code, and says what was kept. Takes minutes.",
      parameters: [
        schemas, from, to,
        Parameter(
          name: "stepsOnly", kind: .flag, option: "--steps-only",
          text: "Rehearse only single steps, which takes less time."),
        Parameter(
          name: "store", kind: .path, option: "--store",
          text: "A store of a shipped version to migrate as well."),
      ], leavesFiles: true),
    AgentTool(
      name: "diagnose_store", command: "doctor",
      text:
        "Why an app does not recognise a store (134504, loadIssueModelContainer): its version or the nearest one, what differs, and the ways out. The store is only read.",
      parameters: [
        Parameter(
          name: "store", kind: .path, isRequired: true,
          text:
            "The store's file, below the project's folder: copy it there, with its -wal and -shm."),
        schemas,
      ]),
    AgentTool(
      name: "explain", command: "explain",
      text: "What a rule finds, why, and how to correct it, with examples.",
      parameters: [
        Parameter(
          name: "rule", kind: .text, isRequired: true,
          text: "The rule's id, such as missing-default.")
      ], isText: true),
  ]

  var description: JSONValue {
    var properties: [String: JSONValue] = [:]
    for parameter in parameters {
      var property: [String: JSONValue] = ["description": .string(parameter.text)]
      switch parameter.kind {
      case .text, .path, .reference: property["type"] = "string"
      case .flag: property["type"] = "boolean"
      case .paths:
        property["type"] = "array"
        property["items"] = ["type": "string"]
      }
      properties[parameter.name] = .object(property)
    }
    return [
      "name": .string(name), "description": .string(text),
      "inputSchema": [
        "type": "object", "properties": .object(properties),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
        "additionalProperties": false,
      ],
      "annotations": [
        "readOnlyHint": .bool(!leavesFiles), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
  }

  func commandLine(
    _ given: JSONValue, real: (String) -> String?
  ) throws(Misuse) -> [String] {
    guard let given = given.object else { throw Misuse(reason: "'arguments' must be an object") }
    let known = parameters.map(\.name)
    if let unknown = given.keys.sorted().first(where: { !known.contains($0) }) {
      throw Misuse(
        reason: "'\(name)' takes no '\(unknown)'; it takes: \(known.joined(separator: ", "))")
    }
    var options: [String] = []
    var arguments: [String] = []
    for parameter in parameters {
      guard let value = given[parameter.name], value != .null else {
        if parameter.isRequired { throw Misuse(reason: "'\(parameter.name)' is missing") }
        continue
      }
      let texts = try texts(value, of: parameter, real)
      if let option = parameter.option {
        // The option and its value are one word, so that a value that begins with a hyphen is not read as an option.
        options += texts.map { $0.isEmpty ? option : "\(option)=\($0)" }
      } else {
        arguments += texts
      }
    }
    return [command] + options + (isText ? [] : ["--format=json"])
      + (arguments.isEmpty ? [] : ["--"] + arguments)
  }

  /// The values that a parameter adds to the command: none for a flag that is off, an empty one for a flag that is on.
  private func texts(
    _ value: JSONValue, of parameter: Parameter, _ real: (String) -> String?
  ) throws(Misuse) -> [String] {
    func misuse(_ words: String) -> Misuse { Misuse(reason: "'\(parameter.name)' \(words)") }
    if case .flag = parameter.kind {
      guard let isSet = value.bool else { throw misuse("must be true or false") }
      return isSet ? [""] : []
    }
    var items = [value]
    if case .paths = parameter.kind {
      guard let list = value.array else { throw misuse("must be a list") }
      items = list
    }
    var found: [String] = []
    for item in items {
      guard let text = item.string, !text.isEmpty else { throw misuse("must be a string") }
      guard !text.utf8.contains(0) else { throw misuse("contains a NUL") }
      switch parameter.kind {
      case .text, .flag: break
      // If a path with the reference's name exists, it is a folder to compare with.
      case .reference where real(text) == nil: break
      case .path, .paths, .reference:
        guard let root = real("") else { throw Misuse(reason: "the project's folder is gone") }
        guard let target = real(text) else { throw misuse("does not exist: there is no '\(text)'") }
        guard target == root || target.hasPrefix(root == "/" ? root : root + "/") else {
          throw misuse("is not allowed: '\(text)' is outside of the project's folder")
        }
      }
      found.append(text)
    }
    return found
  }
}
