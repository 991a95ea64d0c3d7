package import SchemaModel

/// The enum that replaces another enum in versions before that enum's cases were renamed or replaced. The former enum
/// has the old cases too, so rows with old cases can be read and changed.
///
/// For the engine both enums are the same column with the same hash (docs/facts/identity.md#enum-cases-neutral).
package struct FormerEnum: Sendable {
  package struct Case: Sendable, Equatable {
    package var name: String
    package var rawValue: String
    package var successor: String
  }

  package var name: String
  package var type: String
  package var rawType: TypeReference
  /// The first version that stores the replaced enum itself.
  package var until: VersionNumber
  package var cases: [Case]
  /// For each case of the newest version, in order, the case that stores it before `until`.
  package var predecessors: [(newest: String, former: String)]

  /// Returns `nil` if no row must be changed, because the enum itself can then read all rows.
  init?(_ cases: CaseHistory, in history: [SchemaVersion], taken: Set<String>) {
    guard let last = cases.lastCarrying else { return nil }
    type = cases.type
    rawType = cases.rawType
    until = history[last].number
    var name = "Former" + type.split(separator: ".").map { String($0).uppercasedFirst }.joined()
    while taken.contains(name) { name += "_" }
    self.name = name
    var found = cases.newest.map {
      Case(name: $0.name, rawValue: $0.storedText, successor: $0.name)
    }
    // A raw value gets the latest of its case's names, which people know best.
    for version in (0..<last).reversed() {
      for old in cases.cases(at: version)
      where !found.contains(where: { $0.rawValue == old.storedText }) {
        guard let newest = cases.newest(of: old.name, at: version) else { continue }
        var name = old.name
        while found.contains(where: { $0.name == name }) { name = "former" + name.uppercasedFirst }
        found.append(Case(name: name, rawValue: old.storedText, successor: newest.name))
      }
    }
    self.cases = found
    let before = cases.cases(at: last - 1)
    predecessors = cases.newest.map { newest in
      let olds = before.filter { cases.newest(of: $0.name, at: last - 1)?.name == newest.name }
      let old = olds.first { $0.storedText == newest.storedText } ?? olds.first ?? newest
      return (newest.name, found.first { $0.rawValue == old.storedText }?.name ?? newest.name)
    }
  }

  func name(ofCase rawValue: String) -> String? {
    cases.first { $0.rawValue == rawValue }?.name
  }
}
