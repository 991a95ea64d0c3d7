internal import SchemaModel
internal import SchemaRendering
internal import SwiftSyntax

/// Where the app's code says that its stores lie.
struct StorePlaces {
  /// The first configuration of each place, by what people call the place.
  private(set) var places: [String: Place] = [:]
  /// Types in what configurations say that none of the files declares.
  private(set) var unknown: Set<String> = []

  /// - Parameter files: Gives Swift files with one of some texts; generated ones and tests do not count.
  init(_ files: ([String]) -> [SourceFile]) {
    let found = files(["ModelConfiguration", "odelContainer"])
    self.init(found)
    guard !unknown.isEmpty else { return }
    let known = Set(found.map(\.path))
    // What a name stands for may be said anywhere.
    let more = files(SourceAdoption.declarations(of: unknown)).filter { !known.contains($0.path) }
    if !more.isEmpty { self.init(found + more) }
  }

  private init(_ files: [SourceFile]) {
    let sources = files.filter { !GeneratedFile.isMarked($0.bytes) }.concurrentlyParsed
      .filter { $0.imports.isDisjoint(with: ["XCTest", "Testing"]) }
    let facts = TreeFacts(sources)
    let constants = facts.constants
    for source in sources {
      let values = FileValues(source, constants: constants)
      let previews = Ancestors { $0.isPreview ? true : nil }
      let developments = Ancestors(\.isDevelopment)
      for call in source.syntax.all(FunctionCallExprSyntax.self) {
        guard previews.value(around: call) == nil, developments.value(around: call) != true else {
          continue
        }
        if call.calledName == "ModelConfiguration" {
          guard !call.isConfigurationInMemory(values) else { continue }
          add(call.storePlace(values), source.location(of: call.calledExpression))
          let names = call.arguments.flatMap { values.everywhere($0.expression) }
            .flatMap(\.outermostPaths).compactMap(\.first)
          unknown.formUnion(
            names.filter {
              $0.first?.isUppercase == true && !TypeResolver.isKnown($0) && !facts.declares($0)
            })
        } else if call.makesContainer || call.calledExpression.memberName == "modelContainer",
          call.hasArgument("for"), !call.hasArgument("configurations"), !call.isInMemory(values)
        {
          add(FunctionCallExprSyntax.defaultStore, source.location(of: call.calledExpression))
        }
      }
    }
  }

  private mutating func add(_ name: String, _ place: Place) {
    if places[name] == nil { places[name] = place }
  }
}

extension FunctionCallExprSyntax {
  fileprivate static let defaultStore = "the default store"

  /// What a configuration says of the file: a name, a group container, or a URL.
  fileprivate func storePlace(_ values: FileValues) -> String {
    var words: [String] = []
    for argument in arguments {
      switch argument.label?.text {
      case nil: words.append("the store \(argument.expression.storeWords(values))")
      case "url": words.append("the store at \(argument.expression.storeWords(values))")
      case "groupContainer":
        let text = argument.expression.storeWords(values)
        if text != "automatic" {
          words.append(text == "none" ? "outside of any group" : "in the group \(text)")
        }
      default: break
      }
    }
    if words.first?.hasPrefix("the") != true { words.insert(Self.defaultStore, at: 0) }
    return words.joined(separator: " ")
  }
}

extension ExprSyntax {
  /// The texts in an expression and in what its names stand for; where there is none, its last name.
  fileprivate func storeWords(_ values: FileValues) -> String {
    var texts: Set<String> = []
    for value in values.everywhere(self) {
      for text in value.all(StringLiteralExprSyntax.self) {
        texts.insert("'\(ExprSyntax(text).stringValue ?? text.trimmedDescription)'")
      }
    }
    return texts.isEmpty
      ? memberName ?? memberPath?.last ?? oneLine : texts.sorted().joined(separator: ", ")
  }
}
