internal import SchemaModel
package import SwiftSources
package import SwiftSyntax

/// A container with which an app opens its store, and the classes that the container's code names.
package struct WrittenContainer {
  package var place: Place
  /// The classes in the order in which the call names them. The store also holds the classes that relationships of the
  /// named classes lead to.
  package var classes: [DeclaredType]
  /// Whether the call has a migration plan. Without a plan, no stage runs.
  var hasPlan: Bool
  /// Whether the call is SwiftUI's modifier, which takes no plan.
  package var isModifier: Bool
}

/// The CloudKit settings of a container's configurations, or of a single configuration.
struct WrittenDatabases {
  /// The full names of the classes that the container names; nil if they cannot be read.
  var classes: Set<String>?
  var databases: [CloudDatabase]
  /// The names of models in a configuration that does not sync.
  var local: Set<String>
}

/// The models in the store that a container opens: the models that the container names, and the models that their
/// relationships lead to.
package struct HeldModels {
  package var place: Place
  package var names: Set<String>
}

/// A container's list of models that cannot be read.
package struct UnreadList {
  package var place: Place
  /// The words in the list, and in the values of the names that the list uses.
  package var words: Set<String>
}

/// Reads the models of containers that are made without versions.
///
/// Containers of previews and containers in memory are ignored.
package struct ContainerReader {
  let index: SourceIndex
  let options: Adoption.Options
  package private(set) var containers: [WrittenContainer] = []
  package private(set) var unread: [Place] = []
  var unreadLists: [UnreadList] { containers.isEmpty && !hasGenerated ? lists : [] }
  private var lists: [UnreadList] = []
  /// Whether generated code makes a container, which holds what the manifests define.
  package private(set) var hasGenerated = false
  package private(set) var missing: Set<String> = []
  private(set) var databases: [WrittenDatabases] = []
  private(set) var configurations: [CloudDatabase] = []

  package init(_ index: SourceIndex, _ options: Adoption.Options) {
    self.index = index
    self.options = options
    for source in index.sources
    where source.file.bytes.withUnsafeBytes(Self.prefilter.matches) { read(source) }
  }

  /// Every call that makes a container contains one of these strings.
  private static let prefilter = Prefilter([
    "odelContainer", "configurations", "ModelConfiguration",
  ])

  private mutating func read(_ source: SwiftSource) {
    let previews = Ancestors { $0.isPreview ? true : nil }
    let all = source.syntax.all(FunctionCallExprSyntax.self)
    let calls = all.filter { call in
      let isWritten =
        (call.makesContainer || call.setsContainer)
        && call.arguments.first?.label?.text == "for"
      return (isWritten || call.isGeneratedContainer) && previews.value(around: call) == nil
    }
    let configured = all.filter {
      $0.calledName == "ModelConfiguration" && previews.value(around: $0) == nil
    }
    guard !calls.isEmpty || !configured.isEmpty else { return }
    let values = FileValues(source)
    configurations += configured.filter { !$0.isConfigurationInMemory(values) }
      .map { $0.cloudDatabase(values) }
    for call in calls where !call.isInMemory(values) {
      // Only the first class has the label.
      let arguments =
        [call.arguments.first].compactMap { $0?.expression }
        + call.arguments.dropFirst().prefix { $0.label == nil }.map(\.expression)
      let scope = Syntax(call).enclosingTypes
      var named: [[DeclaredType]?] = []
      for argument in arguments { named.append(classes(argument, in: scope, values)) }
      let classes = named.contains { $0 == nil } ? nil : named.flatMap { $0 ?? [] }
      let place = source.location(of: call.calledExpression.nameToken)
      databases.append(
        WrittenDatabases(
          classes: classes.map { Set($0.map(\.fullName)) }, databases: call.cloudDatabases(values),
          local: call.localModels(values)))
      // Models that no file declares have no class here. If the options name no model that is declared elsewhere, an
      // empty list was not understood.
      if let classes, !call.isGeneratedContainer, !classes.isEmpty || !options.models.isEmpty {
        containers.append(
          WrittenContainer(
            place: place, classes: classes, hasPlan: call.hasPlan,
            isModifier: !call.makesContainer))
      } else {
        unread.append(place)
        hasGenerated = hasGenerated || call.isGeneratedContainer
        let words = arguments.flatMap { values.expanded($0) }
          .flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.text) }
        lists.append(UnreadList(place: place, words: Set(words)))
      }
    }
  }

  /// The classes of `Trip.self`, `[Trip.self]`, `Schema([Trip.self])` or of a name's value; nil if they cannot be read.
  private mutating func classes(
    _ value: ExprSyntax, in scope: [String], _ values: FileValues
  ) -> [DeclaredType]? {
    var reader = VersionReader(index, options.conditions, foreign: options.models)
    let classes: [DeclaredType]
    if value.memberPath?.last == "self" {
      classes = [reader.model(value, in: scope)].compactMap(\.self)
    } else {
      // The value of an instance's property is known only within the same file.
      var value = value
      if let path = value.memberPath, path.count == 1, reader.staticValue(path[0], of: scope) == nil
      {
        let known = values.values(of: path[0], from: value)
        if known.count == 1 { value = known[0] }
      }
      classes = reader.list(value, in: scope)
    }
    missing.formUnion(reader.missing)
    return reader.findings.isEmpty ? classes : nil
  }
}

extension FunctionCallExprSyntax {
  /// Whether the call is `ActiveSchema.container(configurations:)`, under any schema name. This container holds the
  /// manifests' models.
  package var isGeneratedContainer: Bool {
    calledExpression.memberName == "container" && arguments.first?.label?.text == "configurations"
  }
}

extension ExprSyntax {
  /// The name of the called function. The expression before it may begin many lines above.
  package var nameToken: Syntax {
    self.as(MemberAccessExprSyntax.self).map { Syntax($0.declName) } ?? Syntax(self)
  }
}
