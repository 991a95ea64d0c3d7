internal import SchemaModel
package import SwiftSyntax

/// What code says about the CloudKit database of a store's configuration.
package enum CloudDatabase: Hashable {
  /// The code has `.automatic` or no argument. The store syncs with the first container of the app's entitlements, if
  /// they list one.
  case automatic
  /// The code has `.private(…)`. The container is nil if no literal defines it.
  case named(String?)
  case none
  case unknown
}

extension CloudDatabase {
  /// Reads the argument `cloudKitDatabase:`. If it may have several values, one that syncs counts.
  init(_ argument: ExprSyntax, _ values: FileValues) {
    var members: Set<String> = []
    for value in values.everywhere(argument) {
      for call in value.all(FunctionCallExprSyntax.self)
      where call.calledExpression.memberName == "private" {
        let name = call.arguments.first.flatMap { Self.container($0.expression, values) }
        self = .named(name)
        return
      }
      for access in value.all(MemberAccessExprSyntax.self) {
        members.insert(access.declName.baseName.text)
      }
      if let access = value.as(MemberAccessExprSyntax.self) {
        members.insert(access.declName.baseName.text)
      }
    }
    self =
      members.contains("automatic") ? .automatic : members.contains("none") ? .none : .unknown
  }

  /// The container's name if exactly one literal defines it, otherwise nil.
  private static func container(_ value: ExprSyntax, _ values: FileValues) -> String? {
    let names = values.everywhere(value).compactMap { value -> String? in
      guard
        let text = value.stringValue, text.isCloudContainer
      else { return nil }
      return text
    }
    return Set(names).count == 1 ? names[0] : nil
  }
}

extension String {
  /// Whether the string is an identifier of a CloudKit container, without placeholders that a build replaces.
  package var isCloudContainer: Bool {
    hasPrefix("iCloud.")
      && utf8.allSatisfy { byte in
        byte < 0x80
          && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))
      }
  }
}

extension FunctionCallExprSyntax {
  package func cloudDatabase(_ values: FileValues) -> CloudDatabase {
    arguments.first { $0.label?.text == "cloudKitDatabase" }
      .map { CloudDatabase($0.expression, values) } ?? .automatic
  }

  /// The databases of the container's configurations on disk. A container without configurations has the default
  /// database. If the configurations are unknown, the list is empty.
  package func cloudDatabases(_ values: FileValues) -> [CloudDatabase] {
    hasArgument("configurations")
      ? configurations(values).map { $0.cloudDatabase(values) } : [.automatic]
  }

  /// The models in the configurations of the container that do not sync.
  package func localModels(_ values: FileValues) -> Set<String> {
    Set(
      configurations(values).filter { $0.cloudDatabase(values) == .none }.flatMap { call in
        // `filter` on a syntax collection returns a copy, in which names have no scope.
        Array(call.arguments).filter { ["schema", "for"].contains($0.label?.text) }
          .flatMap { values.expanded($0.expression) }
          .flatMap { $0.all(MemberAccessExprSyntax.self) }
          .filter { $0.declName.baseName.text == "self" }
          .compactMap { $0.base?.memberPath?.last }
      })
  }

  private func configurations(_ values: FileValues) -> [FunctionCallExprSyntax] {
    let given = Array(
      arguments.drop { $0.label?.text != "configurations" }
        .prefix { $0.label == nil || $0.label?.text == "configurations" })
    var seen: Set<SyntaxIdentifier> = []
    return given.flatMap { values.expanded($0.expression) }.flatMap {
      value -> [FunctionCallExprSyntax] in
      value.all(FunctionCallExprSyntax.self)
        + [value.as(FunctionCallExprSyntax.self)].compactMap(\.self)
    }.filter { call in
      call.makesConfiguration && seen.insert(call.id).inserted
        && !call.isConfigurationInMemory(values)
    }
  }
}

extension SwiftSource {
  /// The databases of the file's configurations on disk, except those for previews and development.
  ///
  /// - Parameter constants: The constants of all files.
  package func cloudDatabases(_ constants: [String: ExprSyntax]) -> Set<CloudDatabase> {
    guard file.text.contains("ModelConfiguration") else { return [] }
    let previews = Ancestors { $0.isPreview ? true : nil }
    let developments = Ancestors(\.isDevelopment)
    let calls = syntax.all(FunctionCallExprSyntax.self).filter { call in
      call.calledName == "ModelConfiguration" && previews.value(around: call) == nil
        && developments.value(around: call) == nil
    }
    guard !calls.isEmpty else { return [] }
    let values = FileValues(self, constants: constants)
    return Set(
      calls.filter { !$0.isConfigurationInMemory(values) }.map { $0.cloudDatabase(values) })
  }
}
