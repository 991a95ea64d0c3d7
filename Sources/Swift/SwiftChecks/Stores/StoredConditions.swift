internal import SchemaLint
package import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace
internal import SwiftAdoption
package import SwiftSources
internal import SwiftSyntax

/// The `#if`s around declarations of models and of value types, which decide what is stored.
package struct StoredConditions {
  private var places: [String: Place] = [:]
  private var configs: [(config: IfConfigDeclSyntax, place: Place)] = []

  /// - Parameter files: Returns the Swift files that contain one of the given strings.
  package init(_ version: SchemaVersion, in files: ([String]) -> [SourceFile]) {
    let own = Set(version.types.filter(\.isOwn).map(\.name))
    let found = files(["@Model"] + SourceAdoption.declarations(of: own)).filter {
      !GeneratedFile.isMarked($0.bytes) && $0.text.contains("#if")
    }
    for source in found.concurrentlyParsed
    where source.imports.isDisjoint(with: ["XCTest", "Testing"]) {
      for config in source.syntax.all(IfConfigDeclSyntax.self) where config.decidesTypes {
        let place = source.location(of: config.clauses)
        configs.append((config, place))
        for flag in config.flags where places[flag] == nil { places[flag] = place }
      }
    }
  }

  /// Reports conditions that the build decides differently from the base's build or from the configuration, and new
  /// conditions that are undecided.
  ///
  /// - Parameters:
  ///   - base: The conditions in the base's code.
  ///   - settings: The build settings, before and now.
  ///   - conditions: The configuration's conditions.
  ///   - isNew: Whether the base's configuration does not define a flag.
  package func findings(
    since base: StoredConditions, _ name: String,
    _ settings: (was: BuildSettings, now: BuildSettings),
    _ conditions: BuildConditions, isNew: (String) -> Bool
  ) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (flag, place) in places.sorted(by: { $0.key < $1.key }) {
      let (was, now) = (settings.was.flags[flag, default: 0], settings.now.flags[flag, default: 0])
      if was != now, base.places[flag] != nil || now > 0 {
        found.append(
          .changed(
            "'#if \(flag)' decides what is stored, and the build sets '\(flag)' for \(counted(now, "target")), but in \(name) for \(counted(was, "target")): the stores of targets that changed do not match the manifests, and the engine drops what their models lack",
            flag, place,
            "declare what is stored outside of '#if', and let '#if' decide what the app does with it"
          ))
      } else if conditions.defines[flag] == false, now > 0, base.places[flag] == nil || isNew(flag)
      {
        found.append(
          .changed(
            "schemagen.yaml says that '#if \(flag)' is false, and the build sets '\(flag)': the app's models do not match the manifests",
            flag, place, "write in schemagen.yaml: define: { \(flag): true }"))
      }
    }
    let known = Set(base.configs.flatMap { conditions.unknown(in: $0.config) })
    for (config, place) in configs {
      let unknown = Set(conditions.unknown(in: config)).subtracting(known)
      guard !unknown.isEmpty else { continue }
      var finding = Diagnostic.buildCondition(
        "what models store would", element: "", at: place, unknown: unknown.sorted())
      finding.severity = .error
      found.append(finding)
    }
    return found
  }
}

extension IfConfigDeclSyntax {
  /// Whether the `#if` surrounds types, stored members of a type, or attributes, and not only code.
  fileprivate var decidesTypes: Bool {
    var next = parent
    while let node = next {
      if node.is(CodeBlockSyntax.self) || node.is(ClosureExprSyntax.self)
        || node.is(AccessorBlockSyntax.self)
      {
        return false
      }
      next = node.parent
    }
    if parent?.is(AttributeListSyntax.self) ?? false { return true }
    if parent?.is(MemberBlockItemSyntax.self) ?? false { return mayStore }
    return clauses.contains { clause in
      clause.elements?.all(DeclSyntax.self).contains {
        $0.asProtocol((any DeclGroupSyntax).self) != nil || $0.is(TypeAliasDeclSyntax.self)
      } ?? false
    }
  }

  fileprivate var flags: Set<String> {
    Set(
      clauses.compactMap(\.condition).flatMap { $0.all(DeclReferenceExprSyntax.self) }
        .map(\.baseName.plain))
  }
}
