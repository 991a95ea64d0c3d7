internal import SchemaModel

/// A history in which every version uses the newest declaration of each enum, the only one in generated code.
///
/// If rows of a version have removed cases, the version's models store a `FormerEnum` instead.
struct CaseNames {
  let formers: [FormerEnum]
  let history: [SchemaVersion]

  init(_ history: [SchemaVersion]) {
    let cases = CaseHistory.all(in: history)
    guard !cases.isEmpty else {
      formers = []
      self.history = history
      return
    }
    var taken = Set(history.flatMap { $0.types.map(\.name) + $0.models.flatMap(\.typeNames) })
    var formers: [FormerEnum] = []
    for cases in cases {
      guard let former = FormerEnum(cases, in: history, taken: taken) else { continue }
      taken.insert(former.name)
      formers.append(former)
    }
    self.formers = formers
    self.history = history.indices.map { index in
      let names = NewestCaseNames(cases, at: index)
      var version = history[index]
      for place in version.models.indices {
        for property in version.models[place].properties.indices {
          version.models[place].properties[property].follow(
            names, formers.filter { version.number < $0.until })
        }
      }
      for place in version.drops.indices {
        version.drops[place].revert = version.drops[place].revert.map(names.applied)
      }
      return version
    }
  }
}

/// The newest names of the cases in one version's expressions.
private struct NewestCaseNames {
  /// `Kind.legacy` → `Kind.modern`
  private let paths: PathNames

  /// - Parameter index: The version with the expressions. Its step may also use the previous version's names.
  init(_ histories: [CaseHistory], at index: Int) {
    var names: [String: String] = [:]
    for cases in histories {
      for version in [index - 1, index] where version >= 0 {
        for old in cases.cases(at: version) {
          let newest = cases.newest(of: old.name, at: version)
          names["\(cases.type).\(old.name)"] = newest.map { "\(cases.type).\($0.name)" }
        }
      }
    }
    paths = PathNames(names.filter { $0.key != $0.value })
  }

  func applied(to expression: SwiftExpression) -> SwiftExpression {
    paths.applied(to: expression)
  }
}

extension Model {
  fileprivate var typeNames: [String] { [name] + (entity.map { [$0] } ?? []) }
}

extension Property {
  fileprivate mutating func follow(_ names: NewestCaseNames, _ formers: [FormerEnum]) {
    migration.follow(names)
    initializerDefault = initializerDefault.map(names.applied)
    guard case .attribute(var attribute) = kind else { return }
    attribute.defaultValue = attribute.defaultValue.map(names.applied)
    attribute.fallback = attribute.fallback.map(names.applied)
    if attribute.isInColumns {
      attribute.former = formers.first { attribute.type.unwrapped == .named($0.type) }?.name
    }
    kind = .attribute(attribute)
  }
}

extension PropertyMigration {
  fileprivate mutating func follow(_ names: NewestCaseNames) {
    guard !isEmpty else { return }
    func followed(_ conversion: Located<Conversion>) -> Located<Conversion> {
      guard case .expression(let expression) = conversion.value else { return conversion }
      return Located(.expression(names.applied(to: expression)), at: conversion.location)
    }
    convert = convert.map(followed)
    revert = revert.map { Reversion(followed($0.conversion), from: $0.from) }
    fill = fill.map(followed)
  }
}
