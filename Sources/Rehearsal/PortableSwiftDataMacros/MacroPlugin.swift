import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The plugin that SwiftPM starts to expand the macros. A compiler that loads macros as a library does not use it.
@main
struct MacroPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    PersistentModelMacro.self, PersistedPropertyMacro.self, MarkerMacro.self, CheckedAwayMacro.self,
  ]
}
