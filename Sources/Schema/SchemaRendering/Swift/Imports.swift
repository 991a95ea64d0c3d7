internal import SchemaEvolution
internal import SchemaModel

/// The import statements of a file, which compile with and without `InternalImportsByDefault`.
///
/// A module is imported publicly only if a public declaration uses its types, since Swift warns about an unnecessary
/// public import. Other imports have no access level. If one import of a module were `internal` or `package`, Swift
/// without that feature would call every plain import of the module ambiguous, even in the app's own files.
struct Imports {
  /// The types in a file's declarations that other modules can see.
  struct Shown {
    private(set) var names: Set<String> = []
    /// Names in default arguments, which count in public functions but not in package ones.
    private(set) var namesInValues: Set<String> = []
    /// The values that were searched, since most occur many times.
    private var values: Set<String> = []

    mutating func add(_ type: TypeReference) {
      switch type {
      case .named(let name, let arguments):
        if !names.contains(name) { names.insert(String(name.prefix { $0 != "." })) }
        for argument in arguments { add(argument) }
      case .optional(let wrapped): add(wrapped)
      case .array(let element): add(element)
      case .dictionary(let key, let value):
        add(key)
        add(value)
      }
    }

    /// Adds names outside string literals, and those in interpolations.
    mutating func add(_ value: SwiftExpression?) {
      // Most defaults name no type.
      guard let text = value?.text, values.insert(text).inserted,
        text.contains(where: \.isUppercase)
      else { return }
      let code = text.replacing(/"[^"\\]*"/, with: "")
      namesInValues.formUnion(code.matches(of: /[A-Za-z_][A-Za-z_0-9]*/).map { String($0.output) })
    }
  }

  private let access: Configuration.AccessLevel
  private let evolution: Evolution?

  init(_ evolution: Evolution) {
    access = evolution.configuration.access
    self.evolution = evolution
  }

  /// The imports of a file that needs no module from the configuration.
  init(access: Configuration.AccessLevel) {
    self.access = access
    evolution = nil
  }

  /// The statements, sorted as swift-format requires.
  ///
  /// - Parameters:
  ///   - modules: Modules that the file needs in addition to the configuration's.
  ///   - showing: The modules among `modules` whose types the file's declarations always use.
  ///   - shown: The other names in the declarations.
  func lines(
    _ modules: [String], showing: [String] = [], _ shown: Shown = Shown()
  ) -> [String] {
    let configured = Set(evolution?.configuration.imports ?? [])
    let all = configured.union(modules)
    guard access != .internal else { return all.sorted().map { "import \($0)" } }
    let names = access == .public ? shown.names.union(shown.namesInValues) : shown.names
    var certain = Set(showing)
    if showsFoundation(names) { certain.insert("Foundation") }
    // A type of the app may come from any of the configured modules.
    let mayShow =
      !configured.isEmpty && !names.isDisjoint(with: configured.union(ownTypes))
    let possible = mayShow ? configured.subtracting(certain) : []
    let conditional = access == .public ? possible : possible.union(certain)
    var lines = all.subtracting(conditional).sorted().map {
      (certain.contains($0) ? "public " : "") + "import \($0)"
    }
    guard !conditional.isEmpty else { return lines }
    if !lines.isEmpty { lines.append("") }
    lines.append("#if hasFeature(InternalImportsByDefault)")
    lines += conditional.sorted().map { "  \(access.prefix)import \($0)" }
    lines.append("#else")
    lines += conditional.sorted().map { "  import \($0)" }
    return lines + ["#endif"]
  }

  // MARK: Names

  private var ownTypes: [String] {
    guard let evolution else { return [] }
    let types = evolution.types.values.filter(\.isOwn).map(\.name)
    return evolution.configuration.entities == .own
      ? types + evolution.entities.map(\.name) : types
  }

  private func showsFoundation(_ names: Set<String>) -> Bool {
    let found = names.intersection(Self.foundationNames)
    guard let evolution, !found.isEmpty else { return false }
    if found.contains(where: { StorageType.Primitive.bySwiftName[$0] != nil }) { return true }
    // A type declared here is not Foundation's, even if it has the same name.
    let types = evolution.types.values.filter { !$0.isOwn }.map(\.name)
    let models = evolution.history.flatMap { $0.models.map(\.name) }
    let declared = Set(types + models + evolution.entities.map(\.name))
    return !found.isSubset(of: declared)
  }

  private static let foundationNames: Set<String> = [
    "AttributedString", "CGFloat", "Calendar", "CharacterSet", "Data", "Date", "DateComponents",
    "DateInterval", "Decimal", "Foundation", "IndexPath", "IndexSet", "Locale", "Measurement",
    "PersonNameComponents", "TimeInterval", "TimeZone", "URL", "URLComponents", "UUID",
  ]
}
