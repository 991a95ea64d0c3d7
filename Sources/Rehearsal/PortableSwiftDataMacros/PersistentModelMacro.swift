public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Model`. Its expansion has the parts of Apple's, as Xcode shows them: backing data that an
/// init accessor fills for each property, `schemaMetadata` with each default's text copied into
/// an `Any?`, `init(backingData:)`, an observation registrar, and the conformances.
public struct PersistentModelMacro {
  public static var formatMode: FormatMode { .disabled }
}

/// An error in a declaration with `@Model`.
struct ModelError: Error, CustomStringConvertible {
  let description: String
}

extension PersistentModelMacro {
  /// The class with `@Model`. Throws the errors that Apple's macro would report.
  private static func model(_ declaration: some DeclGroupSyntax) throws -> ClassDeclSyntax {
    guard let model = declaration.as(ClassDeclSyntax.self) else {
      throw ModelError(description: "@Model can be applied to a class only")
    }
    let members = model.memberBlock.members
    guard members.contains(where: { $0.decl.is(InitializerDeclSyntax.self) }) else {
      throw ModelError(
        description: "@Model requires an initializer be provided for '\(model.name.text)'")
    }
    guard !members.contains(where: { PersistedProperty($0.decl)?.plainName == "description" })
    else {
      throw ModelError(description: "@Model does not support a property named 'description'")
    }
    return model
  }
}

extension PersistentModelMacro: MemberMacro {
  public static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let model = try model(declaration)
    let parts = ModelParts(
      name: model.name.text,
      groups: model.memberBlock.members.compactMap { KeyPathGroup($0.decl) },
      isFinal: model.modifiers.contains { $0.name.tokenKind == .keyword(.final) },
      properties: model.memberBlock.members.compactMap { PersistedProperty($0.decl) })
    // The compiler lists the conformances that are still missing. A subclass inherits its superclass's conformances.
    let isRoot = protocols.contains { $0.trimmedDescription.hasSuffix("PersistentModel") }
    return isRoot ? parts.rootMembers : parts.subclassMembers
  }
}

// The macro's two other roles do not report a wrong declaration, since it would be reported three times.

extension PersistentModelMacro: MemberAttributeMacro {
  public static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard PersistedProperty(member) != nil, (try? model(declaration)) != nil else { return [] }
    return ["@SwiftData._PersistedProperty"]
  }
}

extension PersistentModelMacro: ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard (try? model(declaration)) != nil else { return [] }
    return try protocols.map { conformance in
      let header: SyntaxNodeString = "extension \(type.trimmed): \(conformance.trimmed)"
      guard conformance.trimmedDescription.hasSuffix("Sendable") else {
        return try ExtensionDeclSyntax("nonisolated \(header) {}")
      }
      return try ExtensionDeclSyntax(
        """
        @available(*, unavailable, message: "PersistentModels are not Sendable")
        \(header) {}
        """)
    }
  }
}

/// The members of one model class.
private struct ModelParts {
  let name: String
  let groups: [KeyPathGroup]
  let isFinal: Bool
  let properties: [PersistedProperty]

  var rootMembers: [DeclSyntax] {
    var members: [DeclSyntax] = [
      """
      public var persistentBackingData: any SwiftData.BackingData<\(raw: name)> {
        get { _$backingData }
        set { _$attach(newValue._values) }
      }
      """,
      metadata("public \(isFinal ? "static" : "class") var"),
      """
      public required init(backingData: any SwiftData.BackingData<\(raw: name)>) {
        \(raw: markerAssignments)
        self._$backingData = SwiftData._ModelBacking(backingData._values)
      }
      """,
      """
      public var _$values: [SwiftData._ModelValues] { [_$backingData._values] }
      """,
      """
      public var _$ownValues: SwiftData._ModelValues { _$backingData._values }
      """,
      """
      public func _$attach(_ values: SwiftData._ModelValues) {
        _$backingData = SwiftData._ModelBacking(values)
      }
      """,
    ]
    if !isFinal {
      members.append("public typealias _SwiftDataRoot = \(raw: name)")
    }
    return members + ownStorage
  }

  /// The members of a class whose superclass is a model. How Apple's macro expands here is unknown. This macro requires
  /// what Apple's macro requires: a class with its own `init` that calls its superclass's.
  var subclassMembers: [DeclSyntax] {
    [
      metadata("public override class var"),
      """
      public required init(backingData: any SwiftData.BackingData<_SwiftDataRoot>) {
        \(raw: markerAssignments)
        self._$backingData = SwiftData._ModelBacking(backingData._values)
        super.init(backingData: backingData)
      }
      """,
      """
      public override var _$values: [SwiftData._ModelValues] {
        super._$values + [_$backingData._values]
      }
      """,
      """
      public override var _$ownValues: SwiftData._ModelValues { _$backingData._values }
      """,
      """
      public override func _$attach(_ values: SwiftData._ModelValues) {
        super._$attach(values)
        _$backingData = SwiftData._ModelBacking(values)
      }
      """,
    ] + ownStorage
  }

  private var ownStorage: [DeclSyntax] {
    [
      """
      private var _$backingData = SwiftData._ModelBacking<\(raw: name)>()
      """,
      """
      private let _$observationRegistrar = Observation.ObservationRegistrar()
      """,
      "struct _SwiftDataNoType {}",
    ]
  }

  private func metadata(_ introducer: String) -> DeclSyntax {
    var entries = properties.map { property in
      """
      SwiftData.Schema.PropertyMetadata(
        name: "\(property.plainName)", keypath: \\\(name).\(property.name),
        defaultValue: \(property.defaultValue ?? "nil"), metadata: \(property.metadata))
      """
    }
    entries += groups.map { group in
      """
      SwiftData.Schema.PropertyMetadata(
        name: "", keypath: \\\(name).self,
        metadata: SwiftData.Schema.\(group.macro)<\(name)>(\(group.arguments)))
      """
    }
    return """
      \(raw: introducer) schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        [
          \(raw: entries.joined(separator: ",\n"))
        ]
      }
      """
  }

  private var markerAssignments: String {
    properties.map { "\($0.marker) = _SwiftDataNoType()" }.joined(separator: "\n")
  }
}

/// `#Unique<Model>(…)` or `#Index<Model>(…)` among a model's members.
private struct KeyPathGroup {
  let macro: String
  let arguments: String

  init?(_ declaration: DeclSyntax) {
    guard let expansion = declaration.as(MacroExpansionDeclSyntax.self),
      ["Unique", "Index"].contains(expansion.macroName.text)
    else { return nil }
    macro = expansion.macroName.text
    arguments = expansion.arguments.trimmedDescription
  }
}
