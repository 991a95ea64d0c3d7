internal import SchemaModel
package import SwiftSyntax

/// The CloudKit database of a store's configuration, as far as its code defines it.
package enum CloudDatabase: Hashable {
  /// `.automatic`, or no argument: the first container of the app's entitlements, if they list one.
  case automatic
  /// `.private(…)`, with the container if it is a literal, or a name with a literal value.
  case named(String?)
  case none
  case unknown
}

extension CloudDatabase {
  /// Reads the argument `cloudKitDatabase:`. Of several values, one that syncs counts.
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

  /// A container's name that can be in a configuration; nil for a composed name.
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
  /// Whether it is a CloudKit container's identifier without parts that a build replaces.
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
  /// The database of `ModelConfiguration(…)`.
  package func cloudDatabase(_ values: FileValues) -> CloudDatabase {
    arguments.first { $0.label?.text == "cloudKitDatabase" }
      .map { CloudDatabase($0.expression, values) } ?? .automatic
  }

  /// The databases of a container's configurations on disk. Without configurations it is the default; if they are
  /// unknown, it is empty.
  package func cloudDatabases(_ values: FileValues) -> [CloudDatabase] {
    hasArgument("configurations")
      ? configurations(values).map { $0.cloudDatabase(values) } : [.automatic]
  }

  /// The models in a container's configurations that do not sync.
  package func localModels(_ values: FileValues) -> Set<String> {
    Set(
      configurations(values).filter { $0.cloudDatabase(values) == .none }.flatMap { call in
        // `filter` of a syntax collection copies it: in the copy, names have no scope.
        Array(call.arguments).filter { ["schema", "for"].contains($0.label?.text) }
          .flatMap { values.expanded($0.expression) }
          .flatMap { $0.all(MemberAccessExprSyntax.self) }
          .filter { $0.declName.baseName.text == "self" }
          .compactMap { $0.base?.memberPath?.last }
      })
  }

  /// The calls that create a container's configurations on disk.
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
  /// The databases of the file's configurations on disk, except for previews and development.
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
