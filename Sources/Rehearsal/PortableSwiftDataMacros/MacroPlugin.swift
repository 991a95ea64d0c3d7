import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What SwiftPM starts to expand the macros. A compiler that loads them as a library does without it.
@main
struct MacroPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    PersistentModelMacro.self, PersistedPropertyMacro.self, MarkerMacro.self, CheckedAwayMacro.self,
  ]
}
