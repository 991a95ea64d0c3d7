internal import SchemaModel
internal import SwiftSyntax

/// A container that an app opens its store with, and the classes that it names.
struct WrittenContainer {
  /// What it is called in: `ModelContainer(for:)`, `.modelContainer(for:)`.
  var place: Place
  /// In the order in which it names them; what they lead to is in the store as well.
  var classes: [DeclaredType]
}

/// Reads what containers hold that are made without versions.
///
/// Those of previews and those that keep nothing on disk are nobody's store.
struct ContainerReader {
  let index: SourceIndex
  let conditions: BuildConditions
  /// Models that no file declares, by the names that files may give them.
  let foreign: [String: String]
  private(set) var containers: [WrittenContainer] = []
  /// Where a container is made of a list that cannot be read.
  private(set) var unread: [Place] = []

  init(_ index: SourceIndex, _ options: Adoption.Options) {
    self.index = index
    conditions = options.conditions
    foreign = options.models
    for source in index.sources { read(source) }
  }

  private mutating func read(_ source: SwiftSource) {
    let previews = Ancestors { $0.isPreview ? true : nil }
    let calls = source.syntax.all(FunctionCallExprSyntax.self).filter { call in
      let isWritten =
        (call.makesContainer || call.calledExpression.memberName == "modelContainer")
        && call.arguments.first?.label?.text == "for"
      return (isWritten || call.isGeneratedContainer) && previews.value(around: call) == nil
    }
    guard !calls.isEmpty else { return }
    let values = FileValues(source)
    for call in calls where !call.isInMemory(values) {
      // The first of them has the label.
      let arguments =
        [call.arguments.first].compactMap { $0?.expression }
        + call.arguments.dropFirst().prefix { $0.label == nil }.map(\.expression)
      let scope = Self.scope(of: call)
      var classes: [DeclaredType]? = []
      for argument in arguments {
        classes = classes.flatMap { known in
          self.classes(argument, in: scope, values).map { known + $0 }
        }
      }
      let place = source.location(of: call.calledExpression.nameToken)
      // Known models have no class here, and a list of nothing else is no list.
      if let classes, !call.isGeneratedContainer, !classes.isEmpty || !foreign.isEmpty {
        containers.append(WrittenContainer(place: place, classes: classes))
      } else {
        unread.append(place)
      }
    }
  }

  /// The classes of `Trip.self`, `[Trip.self]`, `Schema([Trip.self])` or of what a name stands for; nil where they cannot be
  /// read.
  private func classes(
    _ value: ExprSyntax, in scope: [String], _ values: FileValues, depth: Int = 0
  ) -> [DeclaredType]? {
    guard depth < 8 else { return nil }
    if let call = value.as(FunctionCallExprSyntax.self), call.calledName == "Schema",
      let list = call.arguments.first, list.label == nil
    {
      return classes(list.expression, in: scope, values, depth: depth + 1)
    }
    let path = value.memberPath ?? []
    if path.last == "self" {
      let name = Array(path.dropLast())
      guard let type = index.type(named: name, in: scope) else {
        return foreign[name.joined(separator: ".")] == nil ? nil : []
      }
      return type.isModel ? [type] : nil
    }
    var reader = VersionReader(index, conditions)
    if let name = path.last {
      let owner =
        path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
      let local = path.count == 1 ? values.values(of: name, from: value) : []
      let found =
        owner.flatMap { reader.staticValue(name, of: $0) }
        ?? (local.count == 1 ? local[0] : path.count == 1 ? index.constant(name, from: value) : nil)
      if let found, found.id != value.id {
        return classes(found, in: owner ?? scope, values, depth: depth + 1)
      }
    }
    // `{ Schema([Trip.self]) }()`
    if let call = value.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
      let closure = call.calledExpression.as(ClosureExprSyntax.self),
      let inner = reader.result(of: closure.statements)
    {
      return classes(inner, in: scope, values, depth: depth + 1)
    }
    if let array = value.as(ArrayExprSyntax.self) {
      let parts = array.elements.map {
        classes($0.expression, in: scope, values, depth: depth + 1)
      }
      return parts.contains { $0 == nil } ? nil : parts.flatMap { $0 ?? [] }
    }
    let list = reader.list(value, in: scope)
    return reader.findings.isEmpty ? list : nil
  }

  /// The names of the types around a piece of code.
  private static func scope(of node: some SyntaxProtocol) -> [String] {
    var names: [String] = []
    var next = node.parent
    while let current = next {
      if let extended = current.as(ExtensionDeclSyntax.self) {
        names = extended.extendedType.nameParts + names
      } else if current.asProtocol((any DeclGroupSyntax).self) != nil,
        let name = current.asProtocol((any NamedDeclSyntax).self)?.name.plain
      {
        names.insert(name, at: 0)
      }
      next = current.parent
    }
    return names
  }
}

extension FunctionCallExprSyntax {
  /// Whether it is `ActiveSchema.container(configurations:)`, whatever the schema is called: it holds what manifests say.
  fileprivate var isGeneratedContainer: Bool {
    calledExpression.memberName == "container" && arguments.first?.label?.text == "configurations"
  }
}

extension ExprSyntax {
  /// Where a call's name stands: behind the modifiers before it, which may begin many lines above.
  fileprivate var nameToken: Syntax {
    self.as(MemberAccessExprSyntax.self).map { Syntax($0.declName) } ?? Syntax(self)
  }
}
