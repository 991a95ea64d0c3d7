public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship`, `@Transient`: the compiler checks their arguments, `@Model`
/// reads them, and they themselves add nothing.
public struct MarkerMacro: PeerMacro {
  public static var formatMode: FormatMode { .disabled }

  public static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// `#Unique`, `#Index`: the compiler checks their key paths; nothing is left of them.
public struct CheckedAwayMacro: DeclarationMacro {
  public static func expansion(
    of node: some FreestandingMacroExpansionSyntax,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
