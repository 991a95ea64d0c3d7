package import SchemaModel
package import SwiftSyntax

/// Decides the `#if` clauses of the app as it ships on one platform.
package struct BuildConditions: Sendable {
  package var platform: String
  /// The values of conditions, by their source. `DEBUG` is false, since a release ships.
  package var defines: [String: Bool]
  /// Whether a platform was given. If so, the configuration does not choose one.
  private let isChosen: Bool

  /// - Parameter platform: Nil for the platforms of the configuration, or for iOS if it lists none.
  package init(platform: String? = nil, defines: Set<String> = []) {
    self.platform = platform ?? "iOS"
    isChosen = platform != nil
    self.defines = Dictionary(defines.map { ($0, true) }) { first, _ in first }
  }

  /// The conditions on each platform that the app runs on, or on the given platform only.
  package func adapted(to configuration: Configuration) -> [BuildConditions] {
    var adapted = self
    adapted.defines.merge(configuration.defines) { own, _ in own }
    guard !isChosen, !configuration.platforms.isEmpty else { return [adapted] }
    return configuration.platforms.keys.sorted().map { platform in
      var conditions = adapted
      conditions.platform = platform.rawValue
      return conditions
    }
  }

  package func active(_ config: IfConfigDeclSyntax) -> IfConfigClauseSyntax? {
    config.clauses.first { clause in
      guard let condition = clause.condition else { return true }
      return holds(condition)
    }
  }

  /// The declarations, including those in active `#if` clauses, and whether each is in an `#if`.
  package func decided(
    _ declarations: [DeclSyntax]
  ) -> [(declaration: DeclSyntax, isConditional: Bool)] {
    declarations.flatMap { declaration -> [(declaration: DeclSyntax, isConditional: Bool)] in
      guard let config = declaration.as(IfConfigDeclSyntax.self) else {
        return [(declaration, false)]
      }
      let inner: [DeclSyntax] =
        switch active(config)?.elements {
        case .statements(let statements)?:
          statements.compactMap { $0.item.as(DeclSyntax.self) }
        case .decls(let members)?: members.map(\.decl)
        default: []
        }
      return decided(inner).map { ($0.declaration, true) }
    }
  }

  /// The conditions in all clauses that cannot be decided, as they are written.
  package func unknown(in config: IfConfigDeclSyntax) -> [String] {
    config.clauses.compactMap(\.condition).flatMap(unknown)
  }

  private func unknown(in condition: ExprSyntax) -> [String] {
    if let sequence = condition.as(SequenceExprSyntax.self) {
      return sequence.elements.filter { !$0.is(BinaryOperatorExprSyntax.self) }.flatMap(unknown)
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) {
      return unknown(in: prefix.expression)
    }
    if let tuple = condition.as(TupleExprSyntax.self) {
      return tuple.elements.map(\.expression).flatMap(unknown)
    }
    return isKnown(condition) ? [] : [condition.oneLine]
  }

  private func isKnown(_ condition: ExprSyntax) -> Bool {
    if defines[condition.oneLine] != nil || condition.is(BooleanLiteralExprSyntax.self) {
      return true
    }
    guard let call = condition.as(FunctionCallExprSyntax.self) else {
      return condition.oneLine == "DEBUG"
    }
    let argument = call.arguments.first?.expression.trimmedDescription ?? ""
    switch call.calledExpression.trimmedDescription {
    case "os", "platform": return true
    // An app for iOS may also run on a Mac. A simulator has no users.
    case "targetEnvironment": return argument == "simulator" || platform != "iOS"
    // `canImport` with a version depends on the app's compiler.
    case "canImport": return call.arguments.count == 1 && imports(argument) != nil
    case "swift", "compiler": return version(call) != nil
    // No configuration defines processors or language features.
    default: return false
    }
  }

  func holds(_ condition: ExprSyntax) -> Bool {
    if let said = defines[condition.oneLine] { return said }
    if let sequence = condition.as(SequenceExprSyntax.self) { return holds(sequence) }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) {
      return prefix.operator.text == "!" && !holds(prefix.expression)
    }
    if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first {
      return holds(only.expression)
    }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) {
      return literal.literal.text == "true"
    }
    if let call = condition.as(FunctionCallExprSyntax.self) { return holds(call) }
    return false
  }

  /// Evaluates operators in source order. `||` binds weaker than `&&`.
  private func holds(_ sequence: SequenceExprSyntax) -> Bool {
    var alternatives: [[ExprSyntax]] = [[]]
    for element in sequence.elements {
      if let sign = element.as(BinaryOperatorExprSyntax.self) {
        if sign.operator.text == "||" { alternatives.append([]) }
      } else {
        alternatives[alternatives.count - 1].append(element)
      }
    }
    return alternatives.contains { $0.allSatisfy(holds) }
  }

  private func holds(_ call: FunctionCallExprSyntax) -> Bool {
    let argument = call.arguments.first?.expression.trimmedDescription ?? ""
    switch call.calledExpression.trimmedDescription {
    case "os", "platform": return argument == platform
    case "canImport": return imports(argument) ?? true
    case "swift", "compiler": return version(call) ?? true
    case "hasFeature", "hasAttribute": return true
    case "arch": return argument == "arm64"
    default: return false
    }
  }

  /// Frameworks that systems with SwiftData have, with those systems; empty for all of them.
  private static let frameworks: [String: Set<String>] = {
    var known: [String: Set<String>] = [
      "AppKit": ["macOS"], "Cocoa": ["macOS"], "WatchKit": ["watchOS"], "ActivityKit": ["iOS"],
      "UIKit": ["iOS", "tvOS", "visionOS", "watchOS"],
      "HealthKit": ["iOS", "macOS", "visionOS", "watchOS"],
    ]
    let everywhere = [
      "AppIntents", "Charts", "CloudKit", "Combine", "CoreData", "CoreFoundation", "CoreGraphics",
      "CoreLocation", "CryptoKit", "Darwin", "Dispatch", "Foundation", "MapKit", "Observation",
      "OSLog", "StoreKit", "Swift", "SwiftData", "SwiftUI", "UniformTypeIdentifiers",
      "UserNotifications", "WidgetKit", "os",
    ]
    for name in everywhere { known[name] = [] }
    return known
  }()

  /// Modules that no system of Apple's has.
  private static let foreign: Set<String> = [
    "Android", "FoundationNetworking", "Glibc", "Musl", "WASILibc", "WinSDK", "ucrt",
  ]

  private func imports(_ module: String) -> Bool? {
    if Self.foreign.contains(module) { return false }
    return Self.frameworks[module].map { $0.isEmpty || $0.contains(platform) }
  }

  private static let compiler = [6, 4]

  /// Whether a comparison such as `compiler(>=6.0)` holds; nil if it depends on the app's compiler or language mode.
  private func version(_ call: FunctionCallExprSyntax) -> Bool? {
    let text = (call.arguments.first?.expression.trimmedDescription ?? "").filter { $0 != " " }
    let isLess = text.hasPrefix("<")
    let parts = text.drop { !$0.isNumber }.split(separator: ".").compactMap { Int($0) }
    guard isLess || text.hasPrefix(">="), !parts.isEmpty else { return nil }
    func holds(_ version: [Int]) -> Bool { version.lexicographicallyPrecedes(parts) == isLess }
    let newest = holds(Self.compiler)
    // Apps are shipped with compiler 6 today, perhaps in language mode 5.
    let oldest = holds(call.calledExpression.trimmedDescription == "swift" ? [5, 9] : [6, 0])
    return newest == oldest ? newest : nil
  }
}
