internal import SchemaModel

/// The history of one enum with raw values and of its cases.
///
/// `HistoryGraph` cannot provide this history, because the versions in that graph are built with it (`CaseNames`).
struct CaseHistory {
  let type: String
  let rawType: TypeReference
  private let history: [SchemaVersion]
  private let last: Int

  /// Returns `nil` if the type is not an enum with raw values, or if no case was renamed or replaced.
  init?(_ type: String, in history: [SchemaVersion]) {
    guard let last = history.lastIndex(where: { $0.type(named: type) != nil }),
      case .enumeration(let rawType?, _)? = history[last].type(named: type)?.kind,
      history.contains(where: { $0.saysSuccessors(of: type) })
    else { return nil }
    self.type = type
    self.rawType = rawType
    self.history = history
    self.last = last
  }

  static func all(in history: [SchemaVersion]) -> [CaseHistory] {
    let names = Set(
      history.flatMap { version in
        version.types.filter { version.saysSuccessors(of: $0.name) }.map(\.name)
      })
    return names.sorted().compactMap { CaseHistory($0, in: history) }
  }

  var newest: [EnumCase] { cases(at: last) }

  func cases(at version: Int) -> [EnumCase] {
    history[version].cases(of: type, rawType: rawType) ?? []
  }

  /// The last version in whose step the raw values in rows change; `nil` if there is none.
  var lastCarrying: Int? {
    history.indices.dropFirst().last { index in
      !CasePairing(type, from: history[index - 1], to: history[index]).carried.isEmpty
    }
  }

  /// The newest version's case for a version's case; `nil` if the case was removed without a replacement.
  func newest(of name: String, at version: Int) -> EnumCase? {
    guard var current = cases(at: version).first(where: { $0.name == name }) else { return nil }
    for index in version..<max(version, last) {
      let step = CasePairing(type, from: history[index], to: history[index + 1]).successors
      guard let next = step.first(where: { $0.old.name == current.name }) else { return nil }
      current = next.new
    }
    return current
  }
}

extension SchemaVersion {
  fileprivate func saysSuccessors(of type: String) -> Bool {
    if case .enumeration(_, let cases)? = self.type(named: type)?.kind,
      cases.contains(where: { $0.renamedFrom != nil })
    {
      return true
    }
    return drops.contains { $0.replacedBy != nil && $0.element.value.owner == type }
  }

  fileprivate func cases(of type: String, rawType: TypeReference?) -> [EnumCase]? {
    guard case .enumeration(rawType, let cases)? = self.type(named: type)?.kind else { return nil }
    return cases
  }
}
