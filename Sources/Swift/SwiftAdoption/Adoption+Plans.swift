internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension chooses the plans that the app uses.
extension Adoption {
  /// Full names of the plans that containers are made with: `migrationPlan: AppPlan.self`.
  var namedPlans: Set<String> {
    var named: Set<String> = []
    for source in index.sources where source.file.text.contains("migrationPlan:") {
      for argument in source.syntax.all(LabeledExprSyntax.self)
      where argument.label?.text == "migrationPlan" {
        guard let path = argument.expression.memberPath, path.last == "self",
          let plan = index.type(named: path.dropLast(), in: [])
        else { continue }
        named.insert(plan.fullName)
      }
    }
    return named
  }

  /// The plans that containers are made with, if there are several plans and some are unused. A plan is left out if
  /// another plan in use has all its versions, and more.
  func inUse(_ plans: [WrittenPlan]) -> [WrittenPlan] {
    guard plans.count > 1 else { return plans }
    let names = namedPlans
    let named = plans.filter { names.contains($0.type.fullName) }
    let used = named.isEmpty ? plans : named
    return used.filter { plan in
      plan.versions.isEmpty
        || !used.contains { Set($0.versions).isStrictSuperset(of: plan.versions) }
    }
  }

  mutating func reportOtherPlans(_ plans: [WrittenPlan], _ used: [WrittenPlan]) {
    let wanted = plans.filter {
      $0.type.name == options.plan || $0.type.fullName == options.plan
    }
    let adopted = options.plan == nil || options.isBesideOthers ? used : wanted
    for plan in plans {
      let name = plan.type.fullName
      let isLeft = !adopted.contains { $0.type.fullName == name }
      if isLeft, let other = adopted.first(where: { !plan.shared(with: $0).isEmpty }) {
        let shared = plan.shared(with: other).map { "'\($0)'" }.joined(separator: ", ")
        report(
          .versionOutsidePlan,
          "'\(name)' is not adopted: '\(other.type.fullName)' also lists \(shared)",
          element: name, at: plan.type.place,
          help: [
            "a version is generated once: open the store with '\(other.type.fullName)', and remove '\(name)'"
          ])
      } else if !used.contains(where: { $0.type.fullName == name }) {
        guard options.plan == nil || options.isBesideOthers else { continue }
        report(
          .versionOutsidePlan, "no container uses the plan '\(name)', and it is not adopted",
          element: name, at: plan.type.place,
          help: ["if it is the plan of another store, adopt it by itself: --plan \(name)"])
      } else if isLeft {
        report(
          .versionOutsidePlan, "'\(name)' is the plan of another store, and is not adopted",
          element: name, at: plan.type.place,
          help: ["without '--plan', all plans are adopted side by side, each in its own folder"],
          severity: .note)
      }
    }
  }

  mutating func nameStore(_ plan: DeclaredType, among used: [DeclaredType]) {
    let others = used.filter { $0.fullName != plan.fullName }
    guard !others.isEmpty else { return }
    let name = plan.storeName
    let isTaken = others.contains { $0.storeName.lowercased() == name.lowercased() }
    store = isTaken ? plan.path.joined() : name
  }
}

extension WrittenPlan {
  func shared(with other: WrittenPlan) -> [String] { versions.filter(other.versions.contains) }
}

extension DeclaredType {
  /// The name of this plan's store: `Notes` for `NotesMigrationPlan` and for `Notes.MigrationPlan`.
  var storeName: String {
    for part in path.reversed() {
      var name = part[...]
      while let ending = ["Plan", "Plans", "Migration", "Migrations", "Schema"].first(where: {
        name.hasSuffix($0)
      }) {
        name = name.dropLast(ending.count)
      }
      if !name.isEmpty { return String(name) }
    }
    return path.joined()
  }
}
