public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship` and `@Transient`. The compiler checks their arguments and `@Model` reads them; they
/// expand to nothing.
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

/// `#Unique` and `#Index`. The compiler checks their key paths; they expand to nothing.
public struct CheckedAwayMacro: DeclarationMacro {
  public static func expansion(
    of node: some FreestandingMacroExpansionSyntax,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
