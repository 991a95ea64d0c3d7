internal import SchemaModel
package import SwiftSources
internal import SwiftSyntax

/// The classes that are one version's models, and the models' names.
struct ModelScope {
  /// The version's type path: `SchemaV1`; empty if there are no versions.
  var version: [String]
  let names: [String: String]
  let foreign: [String: String]
  private let models: Set<String>

  init(version: [String], names: [String: String], foreign: [String: String]) {
    self.version = version
    self.names = names
    self.foreign = foreign
    models = Set(names.values).union(foreign.values)
  }

  func isModel(_ name: String) -> Bool { models.contains(name) }

  func model(_ type: DeclaredType) -> String? { names[type.fullName] }
}

/// The names that manifests give to the value types that models use.
///
/// When a model or a version is generated, a type nested in it is removed, so the type moves to the top level. Any
/// other type stays where the app declares it.
package struct ValueTypeNames {
  let index: SourceIndex
  /// Full names of all versions. The names of types nested in a version omit them.
  private let versions: Set<String>
  /// The app's types that the newest version stores. If an older version has a different type with the same name, that
  /// type is the former version of the app's type.
  private let kept: Set<String>
  private var taken: [String: String] = [:]

  package init(_ index: SourceIndex, versions: [[String]], kept: Set<String> = []) {
    self.index = index
    self.kept = kept
    self.versions = Set(versions.map { $0.joined(separator: ".") })
    for type in index.types where type.path.count == 1 && type.kind != .extension {
      taken[type.name] = type.name
    }
  }

  /// Whether the type is nested in a declaration that will be generated.
  package func isHoisted(_ type: DeclaredType) -> Bool {
    type.isGenerated
      || (1..<max(1, type.path.count)).contains { length in
        let outer = Array(type.path.prefix(length))
        return versions.contains(outer.joined(separator: "."))
          || (index.type(outer)?.isModel ?? false)
      }
  }

  package mutating func name(of type: DeclaredType) -> String {
    if let original = type.original { return original }
    guard isHoisted(type), type.path.count > 1 else { return type.fullName }
    let isInVersion = (1..<type.path.count).last {
      versions.contains(type.path.prefix($0).joined(separator: "."))
    }
    let own = Array(type.path.dropFirst(isInVersion ?? 0))
    if own.count == 1, type.hasParts, kept.contains(own[0]) { return own[0] }
    // The dot keeps the key different from the name of any type at the top level.
    let key = "." + own.joined(separator: ".")
    // Use the shortest free name. For a type nested in a model the name includes the model's name, since `State` alone
    // could be some other type.
    for length in min(2, own.count)...own.count {
      let name = own.suffix(length).joined()
      if taken[name] == nil, !SwiftIdentifier.reservedTypeNames.contains(name) { taken[name] = key }
      if taken[name] == key { return name }
    }
    // The app uses all of these names for something else.
    var name = "Stored" + own.joined()
    while let other = taken[name], other != key { name = "Stored" + name }
    taken[name] = key
    return name
  }
}

extension DeclaredType {
  /// The original of a generated copy in models of older versions: `Address` for `FormerAddressV1`.
  fileprivate var original: String? {
    guard isGenerated, hasParts, let documentation, documentation.hasPrefix("`"),
      let end = documentation.firstRange(of: "` as models of ")
    else { return nil }
    return String(documentation[..<end.lowerBound].dropFirst())
  }
}
