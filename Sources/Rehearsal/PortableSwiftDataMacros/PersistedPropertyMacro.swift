public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// A stored property that `@Model` persists: not computed, static, lazy or `@Transient`.
struct PersistedProperty {
  /// The name as written, including backticks.
  let name: String
  let defaultValue: String?
  let isOptional: Bool
  /// The source of the argument `metadata:` in `schemaMetadata`. It is the text `nil` without `@Attribute` and
  /// `@Relationship`.
  let metadata: String
  let isTransformable: Bool

  var plainName: String { name.filter { $0 != "`" } }
  /// The name of the property that records whether this one was initialised.
  var marker: String { "_\(plainName)" }

  init?(_ declaration: some DeclSyntaxProtocol) {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let binding = variable.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      !Self.isComputed(binding),
      !variable.modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) }),
      Self.argument(of: "Transient", on: variable) == nil
    else { return nil }

    name = pattern.identifier.text
    defaultValue = binding.initializer?.value.trimmedDescription
    let type = binding.typeAnnotation?.type
    isOptional =
      type?.is(OptionalTypeSyntax.self) == true
      || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
      || type?.as(IdentifierTypeSyntax.self)?.name.text == "Optional"

    let attribute = Self.argument(of: "Attribute", on: variable)
    isTransformable = attribute?.contains("transformable") == true
    if let relationship = Self.argument(of: "Relationship", on: variable) {
      metadata = "SwiftData.Schema.Relationship(\(relationship))"
    } else if let attribute {
      metadata = "SwiftData.Schema.Attribute(\(attribute))"
    } else {
      metadata = "nil"
    }
  }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  /// The text between the attribute's parentheses, empty without parentheses. Nil if the variable lacks the attribute.
  private static func argument(of attribute: String, on variable: VariableDeclSyntax) -> String? {
    for case .attribute(let candidate) in variable.attributes {
      let name = candidate.attributeName.trimmedDescription
      guard name == attribute || name == "SwiftData.\(attribute)" else { continue }
      return candidate.arguments?.trimmedDescription ?? ""
    }
    return nil
  }
}

/// `@_PersistedProperty` reads and writes the model's values. It keeps a marker that is initialised with the property,
/// so that the compiler reports a missing initialisation.
public struct PersistedPropertyMacro {
  /// The expansion is formatted already, and formatting it again costs more than expanding it.
  public static var formatMode: FormatMode { .disabled }
}

extension PersistedPropertyMacro: AccessorMacro {
  public static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = PersistedProperty(declaration) else { return [] }
    let infix = property.isTransformable ? "TransformableValue" : "Value"
    let initial = property.isTransformable ? infix : "InitialValue"
    let name = property.plainName
    return [
      """
      @storageRestrictions(accesses: _$backingData, initializes: \(raw: property.marker))
      init(initialValue) {
        _$backingData.set\(raw: initial)("\(raw: name)", initialValue)
        \(raw: property.marker) = _SwiftDataNoType()
      }
      """,
      """
      get {
        _$observationRegistrar.access(self, keyPath: \\.\(raw: property.name))
        return _$backingData.get\(raw: infix)("\(raw: name)")
      }
      """,
      """
      set {
        _$observationRegistrar.withMutation(of: self, keyPath: \\.\(raw: property.name)) {
          _$backingData.set\(raw: infix)("\(raw: name)", newValue)
        }
      }
      """,
    ]
  }
}

extension PersistedPropertyMacro: PeerMacro {
  public static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = PersistedProperty(declaration) else { return [] }
    let isInitialised = property.defaultValue != nil || property.isOptional
    return [
      """
      private var \(raw: property.marker): _SwiftDataNoType\
      \(raw: isInitialised ? " = _SwiftDataNoType()" : "")
      """
    ]
  }
}
