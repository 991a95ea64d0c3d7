/// A parsed message of JSON-RPC.
package struct RemoteCall: Sendable {
  /// Why a request is not answered, with the protocol's codes.
  package enum Failure: Int, Error, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case notInitialized = -32002
    case cancelled = -32800
  }

  /// Nil for a notification, which gets no answer.
  package let id: JSONValue?
  package let method: String
  package let parameters: JSONValue

  /// - Returns: Nil for the client's answer to one of our requests.
  /// - Throws: The answer to an invalid message.
  package init?(_ message: JSONValue) throws(Refusal) {
    guard let members = message.object else {
      throw Refusal(nil, .invalidRequest, "a message must be a single object")
    }
    let id = members["id"]
    switch id {
    case nil, .string?, .integer?, .number?: self.id = id
    default: throw Refusal(nil, .invalidRequest, "an id must be a string or a number")
    }
    guard let method = members["method"] else {
      if members["result"] != nil || members["error"] != nil { return nil }
      throw Refusal(id, .invalidRequest, "a message must have a method")
    }
    guard let name = method.string else {
      throw Refusal(id, .invalidRequest, "a method must be a string")
    }
    self.method = name
    parameters = members["params"] ?? .null
  }

  /// An error that goes back to the client.
  package struct Refusal: Error, Sendable {
    package let id: JSONValue?
    package let failure: Failure
    package let message: String

    init(_ id: JSONValue?, _ failure: Failure, _ message: String) {
      self.id = id
      self.failure = failure
      self.message = message
    }

    package var answer: JSONValue {
      [
        "jsonrpc": "2.0", "id": id ?? .null,
        "error": ["code": .integer(failure.rawValue), "message": .string(message)],
      ]
    }
  }

  package static let unreadable = Refusal(nil, .parse, "this is not JSON").answer

  package static func broken(_ reason: String) -> JSONValue { Refusal(nil, .parse, reason).answer }

  func answer(_ result: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id ?? .null, "result": result]
  }

  package func refusal(_ failure: Failure, _ message: String) -> JSONValue {
    Refusal(id, failure, message).answer
  }
}
