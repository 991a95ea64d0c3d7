internal import CLibYAML

/// A libyaml parser. The bytes that it reads must outlive it. It returns one event after another and does not recurse.
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private let isReady: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    isReady = yaml_parser_initialize(parser) == 1
    guard isReady else { return }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    event.deallocate()
  }

  /// Passes on the next event, which is valid until the closure returns.
  ///
  /// - Throws: `ParserFailure`, after which there are no more events.
  func next(_ body: (borrowing yaml_event_t) -> Void) throws(ParserFailure) {
    guard isReady else { throw ParserFailure(problem: "out of memory") }
    guard yaml_parser_parse(parser, event) == 1 else { throw ParserFailure(parser.pointee) }
    body(event.pointee)
    yaml_event_delete(event)
  }
}

/// Where and why libyaml stopped, in its own words.
struct ParserFailure: Error {
  /// A place whose line and column libyaml counts from zero.
  struct Mark {
    var line: Int
    var column: Int
  }

  var problem: String
  var mark = Mark(line: 0, column: 0)
  /// What libyaml was parsing, and where that began.
  var context: String?
  var contextMark = Mark(line: 0, column: 0)
  /// The number of bytes before the broken byte; nil if all bytes are valid text.
  var byteOffset: Int?
  var byteValue: Int?

  init(problem: String) { self.problem = problem }

  init(_ parser: yaml_parser_t) {
    problem = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
    switch parser.error {
    case YAML_READER_ERROR:
      byteOffset = parser.problem_offset
      byteValue = parser.problem_value < 0 ? nil : Int(parser.problem_value)
    case YAML_MEMORY_ERROR: problem = "out of memory"
    default:
      mark = Mark(parser.problem_mark)
      context = parser.context.map { String(cString: $0) }
      contextMark = Mark(parser.context_mark)
    }
  }
}

extension ParserFailure.Mark {
  init(_ mark: yaml_mark_t) { self.init(line: mark.line, column: mark.column) }
}
