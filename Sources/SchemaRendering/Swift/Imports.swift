internal import SchemaEvolution
internal import SchemaModel

/// The import statements of a file, such that it compiles with `InternalImportsByDefault` and without.
///
/// A module whose types a public declaration shows is imported publicly, and no other: Swift warns of a public import
/// that nothing needs. All else is a plain import: beside an `internal` or a `package` one, Swift without that feature
/// calls every plain import of the module ambiguous, those in the app's own files too.
struct Imports {
  /// What a file's declarations show of types, and of values in the default arguments of initialisers.
  struct Shown {
    private(set) var names: Set<String> = []

    mutating func add(_ type: TypeReference) {
      for name in type.names { names.formUnion(name.split(separator: ".").prefix(1).map(String.init)) }
    }

    /// Only names outside of string literals count, and those in interpolations.
    mutating func add(_ value: SwiftExpression?) {
      guard let value else { return }
      let code = value.text.replacing(/"[^"\\]*"/, with: "")
      names.formUnion(code.matches(of: /[A-Za-z_][A-Za-z_0-9]*/).map { String($0.output) })
    }
  }

  private let access: Configuration.AccessLevel
  /// Modules that the configuration names.
  private let configured: Set<String>
  private let ownTypes: Set<String>

  /// Of a file that holds what manifests say.
  init(_ evolution: Evolution) {
    let configuration = evolution.configuration
    access = configuration.access
    configured = Set(configuration.imports)
    var types = Set(evolution.history.newestTypes.values.filter(\.isOwn).map(\.name))
    if configuration.entities == .own { types.formUnion(evolution.entities.map(\.name)) }
    ownTypes = types
  }

  /// Of a file that needs no module of the configuration.
  init(access: Configuration.AccessLevel) {
    self.access = access
    configured = []
    ownTypes = []
  }

  /// The statements, sorted as swift-format wants them.
  ///
  /// - Parameters:
  ///   - modules: What the file needs beside the modules of the configuration.
  ///   - showing: Those among them whose types the file's declarations show in any case.
  ///   - shown: What else the declarations show.
  func lines(
    _ modules: [String], showing: [String] = [], _ shown: Shown = Shown()
  ) -> [String] {
    let all = configured.union(modules)
    guard access != .internal else { return all.sorted().map { "import \($0)" } }
    var certain = Set(showing)
    if !shown.names.isDisjoint(with: Self.foundationNames) { certain.insert("Foundation") }
    // A type of the app's own may come from each of its modules.
    let possible =
      shown.names.isDisjoint(with: ownTypes)
      ? [] : configured.subtracting(certain)
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

  /// Foundation's types that properties may have.
  private static let foundationNames: Set<String> = [
    "AttributedString", "CGFloat", "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval",
    "Decimal", "Foundation", "IndexPath", "IndexSet", "Locale", "Measurement", "PersonNameComponents",
    "TimeInterval", "TimeZone", "URL", "URLComponents", "UUID",
  ]
}
