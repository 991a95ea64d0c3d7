internal import SchemaModel

/// Follows the cases of enums with raw values from version to version, by `renamedFrom:` and `replacedBy:`.
struct CaseLineage: Sendable {
  let history: [SchemaVersion]

  /// The case that replaces a version's case in a later version; nil if no manifest names one.
  func successor(of enumCase: EnumCase, in type: String, from: Int, to: Int) -> EnumCase? {
    var current = enumCase
    for version in from..<max(from, to) {
      guard let next = successor(of: current, in: type, after: version) else { return nil }
      current = next
    }
    return current
  }

  /// The cases whose raw value in rows changes in the next version, each with the case that replaces it.
  func moves(in type: String, after version: Int) -> [(old: EnumCase, new: EnumCase)] {
    cases(of: type, at: version).compactMap { old in
      successor(of: old, in: type, after: version).map { (old, $0) }
    }.filter { $0.old.storedText != $0.new.storedText }
  }

  func moved(from version: Int) -> [String: [EnumCase]] {
    var found: [String: [EnumCase]] = [:]
    for type in history[version].types {
      let last = history.lastIndex { $0.type(named: type.name) != nil } ?? version
      found[type.name] = cases(of: type.name, at: version).filter { old in
        successor(of: old, in: type.name, from: version, to: last)
          .map { $0.storedText != old.storedText } ?? false
      }
    }
    return found.filter { !$0.value.isEmpty }
  }

  private func successor(of old: EnumCase, in type: String, after version: Int) -> EnumCase? {
    let next = cases(of: type, at: version + 1)
    if let renamed = next.first(where: { $0.renamedFrom?.value == old.name }) { return renamed }
    if let same = next.first(where: { $0.name == old.name && $0.renamedFrom == nil }) {
      return same.storedText == old.storedText ? same : nil
    }
    let drop = history[version + 1].drops.first {
      $0.element.value == ElementPath(type, old.name)
    }
    return next.first { $0.name == drop?.replacedBy?.value }
  }

  private func cases(of type: String, at version: Int) -> [EnumCase] {
    guard case .enumeration(.some, let cases)? = history[version].type(named: type)?.kind else {
      return []
    }
    return cases
  }
}
