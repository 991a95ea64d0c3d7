package import SchemaModel
internal import SwiftAdoption
package import SwiftSources
internal import SwiftSyntax

/// What the app's code says about a store that it opens.
struct StoreOpening {
  var store: String
  var isInMemory: Bool
  /// The models that the code lists for the store; nil if there is no list, which means all models of a version.
  var models: Set<String>?
  /// Whether `ActiveSchema.container(…)` opens the store, with all models of the newest version.
  var isOfVersions: Bool
  /// The migration plans of the container; empty if it has none, nil if they are unknown.
  var plans: Set<String>?
  var isReadOnly: Bool
  var database: CloudDatabase
  /// Whether a condition decides between a CloudKit database and none.
  var syncsAtTimes: Bool
  /// The quoted strings and system folders in the file's path.
  var path: Set<String>
  /// Code in the path that returns the newest version's number. With such code each version has a separate file.
  var versioned: String?
  /// Whether the app's entitlements decide the group that contains the store.
  var isInFirstGroup: Bool
  /// The systems that the code is for, from an enclosing `#if` or a folder's name; nil for all systems.
  var system: String?
  var isExtension: Bool
  var place: Place

  /// The models of the version that are in the store.
  func models(of version: SchemaVersion) -> Set<String> {
    let all = Set(version.models.map(\.name))
    guard let models else { return all }
    let named = models.intersection(all)
    // A list that names only a schema means all of its models.
    return named.isEmpty && models.contains { $0.contains("Schema") || $0 == "Version" }
      ? all : version.reached(from: named)
  }
}

package struct StoreOpenings {
  private(set) var all: [StoreOpening]
  let memory: [MemoryStore]
  let choices: [StoreChoice]
  let entitlements: Entitlements
  /// Returns the Swift files that contain one of the given strings, without generated files and tests.
  package let files: ([String]) -> [SourceFile]
  /// Each file that opens a store contains one of these strings.
  private static let candidates = ["ModelConfiguration", "odelContainer", "DocumentGroup"]
  static let defaultStore = "the default store"

  package init(_ entitlements: Entitlements, _ files: @escaping ([String]) -> [SourceFile]) {
    self.entitlements = entitlements
    self.files = files
    let code: CountedCode
    let found: MemoryReader
    (all, choices, found, code) = CountedCode.read(Self.candidates, from: files) { code in
      let calls = code.files.flatMap { $1 }
        .filter { $0.opensStore || $0.calledName == "ModelConfiguration" }
      let memory = MemoryReader(code) { call, source in
        call.opensStore ? WrittenStore(call, code.meanings).openings(source) : []
      }
      return (Self.read(code), StoreChoice.all(of: calls, code), memory, code)
    }
    let names = found.candidates.compactMap(\.name)
    memory = found.reached(
      from: names.isEmpty ? [] : files(names).writtenForUsers, where: code.isCounted)
    for index in all.indices { all[index].settle(entitlements) }
  }

  private static func read(_ code: CountedCode) -> [StoreOpening] {
    let meanings = code.meanings
    let overloads = code.sources.flatMap { $0.syntax.all(FunctionDeclSyntax.self) }
      .filter { $0.name.plain == "container" }
    var all: [StoreOpening] = []
    var used: Set<SyntaxIdentifier> = []
    var configurations: [(call: FunctionCallExprSyntax, source: SwiftSource)] = []
    for (source, calls) in code.files {
      var own: [(call: FunctionCallExprSyntax, source: SwiftSource)] = []
      var isWhole = false
      for call in calls {
        if call.calledName == "ModelConfiguration" { own.append((call, source)) }
        guard call.opensStore else { continue }
        let container = WrittenStore(call, meanings)
        used.formUnion(container.configurations.map(\.id))
        // If the app declares the called overload, the containers in its body are found instead.
        guard !overloads.contains(where: { $0.isCalled(by: call) }) else { continue }
        all += container.openings(source)
        isWhole = !container.configurations.isEmpty
      }
      // If a file's last container has configurations, the file's other configurations belong to no container.
      if !isWhole { configurations += own }
    }
    // A configuration that no container was found to use belongs to a container in another file.
    return all
      + configurations.filter { !used.contains($0.call.id) }
      .map { StoreOpening($0.call, meanings, by: $0.call, $0.source) }
  }
}

extension FunctionDeclSyntax {
  /// Whether the call is outside the function, names the function's type, and matches the parameters.
  fileprivate func isCalled(by call: FunctionCallExprSyntax) -> Bool {
    call.calledExpression.memberPath?.dropLast().last == Syntax(self).enclosingTypes.last
      && (root.id != call.root.id || !range.contains(call.position)) && takes(call)
  }

  /// Whether the parameters match the call's argument labels.
  func takes(_ call: FunctionCallExprSyntax) -> Bool {
    var given = call.arguments.map { $0.label?.plain }[...]
    for parameter in signature.parameterClause.parameters {
      let label = parameter.firstName.text == "_" ? nil : parameter.firstName.plain
      if !given.isEmpty, given.first == label {
        given = given.dropFirst()
        if parameter.ellipsis != nil { given = given.drop { $0 == nil } }
      } else if parameter.defaultValue == nil, parameter.ellipsis == nil {
        return false
      }
    }
    return given.isEmpty
  }
}

/// A call that creates a container, with the calls that create its configurations.
private struct WrittenStore {
  let call: FunctionCallExprSyntax
  let meanings: Meanings
  let configurations: [FunctionCallExprSyntax]

  init(_ call: FunctionCallExprSyntax, _ meanings: Meanings) {
    self.call = call
    self.meanings = meanings
    var seen: Set<SyntaxIdentifier> = []
    configurations = call.list("configurations").flatMap { meanings.code(of: $0) }
      .flatMap { $0.all(FunctionCallExprSyntax.self) }
      .filter { $0.makesConfiguration && meanings.isTaken($0) && seen.insert($0.id).inserted }
  }

  func openings(_ source: SwiftSource) -> [StoreOpening] {
    let models = meanings.models(of: ["for", "editing", "viewing"].flatMap(call.list))
    let plans = self.plans
    var openings = configurations.map { StoreOpening($0, meanings, by: call, source) }
    if !call.hasArgument("configurations") {
      openings = [StoreOpening(call, meanings, by: call, source)]
    }
    let apart = openings.compactMap(\.models).reduce(into: Set()) { $0.formUnion($1) }
    for index in openings.indices {
      openings[index].plans = plans
      if openings[index].models == nil {
        openings[index].models = openings.count > 1 ? models?.subtracting(apart) : models
      }
    }
    return openings
  }

  private var plans: Set<String>? {
    if call.calledExpression.memberName == "container" { return nil }
    let given = call.list("migrationPlan").flatMap { meanings.code(of: $0) }
    guard !given.isEmpty else { return [] }
    let names = Set(given.flatMap(\.namedTypes))
    return names.isEmpty && given.allSatisfy({ $0.all(NilLiteralExprSyntax.self).isEmpty })
      ? nil : names
  }
}

extension StoreOpening {
  /// Reads a call of `ModelConfiguration`, or a call that creates a container without configurations.
  ///
  /// - Parameters:
  ///   - user: The call that opens the store.
  ///   - source: The file with that call.
  fileprivate init(
    _ call: FunctionCallExprSyntax, _ meanings: Meanings, by user: FunctionCallExprSyntax,
    _ source: SwiftSource
  ) {
    let isConfiguration = call.makesConfiguration && !call.opensStore
    var words: [String] = []
    path = ["application support", "'default.store'"]
    for argument in call.arguments where isConfiguration {
      switch argument.label?.text {
      case nil:
        words.append("the store \(meanings.words(of: argument.expression))")
        path = ["application support"]
        path.formUnion(
          meanings.place(of: argument.expression).texts.map { "\($0.dropLast()).store'" })
      case "url":
        words.append("the store at \(meanings.words(of: argument.expression))")
        path = meanings.place(of: argument.expression).texts
      case "groupContainer":
        path.formUnion(meanings.place(of: argument.expression).texts)
        path.insert("'Library/Application Support'")
        let text = meanings.words(of: argument.expression)
        if text != "automatic" {
          words.append(text == "none" ? "outside of any group" : "in the group \(text)")
        }
      default: continue
      }
      versioned = versioned ?? meanings.versionNumber(in: argument.expression)
    }
    isInFirstGroup = !words.contains { !$0.hasPrefix("the store '") }
    if words.first?.hasPrefix("the") != true { words.insert(StoreOpenings.defaultStore, at: 0) }
    store = user.opensDocuments ? "separate files" : words.joined(separator: " ")
    func says(_ label: String, _ value: Bool) -> Bool {
      let told = call.list(label).flatMap { meanings.code(of: $0) }
        .flatMap { $0.all(BooleanLiteralExprSyntax.self) }.map { ExprSyntax($0).isTrue }
      return !told.isEmpty && told.allSatisfy { $0 == value }
    }
    isInMemory =
      says("isStoredInMemoryOnly", true) || says("inMemory", true)
      || store.contains("'/dev/null'")
    models = isConfiguration ? meanings.models(of: call.list("schema") + call.list("for")) : nil
    plans = nil
    isOfVersions = user.calledExpression.memberName == "container"
    isReadOnly = says("allowsSave", false)
    (database, syncsAtTimes) =
      isConfiguration
      ? meanings.database(of: call.list("cloudKitDatabase")) : (.automatic, false)
    isExtension = source.file.path.isOfAppExtension
    let isOfWatch = source.file.path.split(separator: "/").contains {
      String($0).words.contains("watch")
    }
    system = isOfWatch ? "watch" : Syntax(user).systemCondition
    place = source.location(of: user.calledExpression.nameToken)
  }

  fileprivate mutating func settle(_ entitlements: Entitlements) {
    if isInFirstGroup, entitlements.groups.count == 1 {
      store += " in the group '\(entitlements.groups[0])'"
      path.formUnion(["'\(entitlements.groups[0])'", "'Library/Application Support'"])
    }
    if database == .automatic, entitlements.containers.count == 1 {
      database = .named(entitlements.containers[0])
    }
  }
}

extension Meanings {
  fileprivate func models(of expressions: [ExprSyntax]) -> Set<String>? {
    let names = Set(expressions.flatMap { code(of: $0) }.flatMap(\.namedTypes))
    return names.isEmpty ? nil : names
  }

  /// The quoted strings and system folders in the expression and in what its names mean; the expression's last name
  /// if there are none.
  fileprivate func words(of expression: ExprSyntax) -> String {
    let texts = place(of: expression).texts
    return texts.isEmpty
      ? expression.memberName ?? expression.memberPath?.last ?? expression.oneLine
      : texts.sorted().joined(separator: ", ")
  }

  /// The database, and whether the arguments also contain `.none`, so a condition decides.
  fileprivate func database(
    of arguments: [ExprSyntax]
  ) -> (database: CloudDatabase, isAtTimes: Bool) {
    guard !arguments.isEmpty else { return (.automatic, false) }
    let code = arguments.flatMap { self.code(of: chosen($0)) }
    let names = Set(code.flatMap { $0.all(DeclReferenceExprSyntax.self) }.map(\.baseName.plain))
    if names.contains("private") {
      let texts = Set(
        code.flatMap { $0.all(StringLiteralExprSyntax.self) }
          .compactMap { ExprSyntax($0).stringValue }.filter(\.isCloudContainer))
      return (.named(texts.count == 1 ? texts.first : nil), names.contains("none"))
    }
    let database: CloudDatabase =
      names.contains("automatic") ? .automatic : names.contains("none") ? .none : .unknown
    return (database, false)
  }
}

extension Syntax {
  /// The types that are used as values: `Trip` in `SchemaV1.Trip.self`.
  fileprivate var namedTypes: [String] {
    all(MemberAccessExprSyntax.self).filter { $0.declName.baseName.text == "self" }
      .compactMap { $0.base?.memberPath?.last }
  }
}

extension FunctionCallExprSyntax {
  /// Whether the call opens a store of listed models, of the newest version, or of documents.
  fileprivate var opensStore: Bool {
    if makesContainer || setsContainer {
      return hasArgument("for")
    }
    return isGeneratedContainer || opensDocuments
  }

  fileprivate var opensDocuments: Bool {
    calledName == "DocumentGroup" && (hasArgument("editing") || hasArgument("viewing"))
  }

  /// The values of a variadic argument. Only the first one has the label.
  fileprivate func list(_ label: String) -> [ExprSyntax] {
    let rest = arguments.drop { $0.label?.text != label }
    return [rest.first].compactMap { $0?.expression }
      + rest.dropFirst().prefix { $0.label == nil }.map(\.expression)
  }
}

extension Syntax {
  /// The condition on the system in the innermost enclosing `#if` that has one; nil if there is none.
  fileprivate var systemCondition: String? {
    var next = parent
    while let node = next {
      if let clauses = node.as(IfConfigClauseListSyntax.self),
        let own = clauses.first(where: { $0.range.contains(position) })
      {
        let all = clauses.compactMap { $0.condition?.trimmedDescription }
        if all.contains(where: { $0.contains("os(") || $0.contains("targetEnvironment(") }) {
          return own.condition?.trimmedDescription ?? "not " + all.joined(separator: ", ")
        }
      }
      next = node.parent
    }
    return nil
  }
}

extension SchemaVersion {
  /// The named models, their superclasses, and all models that relationships reach from them.
  fileprivate func reached(from names: Set<String>) -> Set<String> {
    var reached: Set<String> = []
    var open = Array(names)
    while let name = open.popLast() {
      guard let model = model(named: name), reached.insert(name).inserted else { continue }
      open += model.properties.flatMap(\.type.names)
      open += [model.superclass?.value].compactMap(\.self)
    }
    return reached
  }
}
