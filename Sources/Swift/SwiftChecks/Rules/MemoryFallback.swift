internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds containers in memory that an app uses if its store on disk does not open.
struct MemoryFallback: SourceCheck {
  let rule = Rule.memoryFallback

  func findings(in context: CheckContext) -> [SourceFinding] {
    let makers = ContainerMakers(context)
    let recoveries = Set(
      ContainerMakers.recoveries(in: context.source) { makers.isMadeOnDisk(in: $0) }.map(\.id))
    let recovered = Ancestors { recoveries.contains($0.id) ? true : nil }
    return makers.calls.filter {
      $0.isInMemory(context.values) && recovered.value(around: $0) != nil
        && !context.isDevelopment($0)
    }.map { call in
      let range = call.calledExpression.offsets
      return SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "the app continues in memory when its store does not open: what people enter is lost at the next launch",
          element: context.text(range), at: context.source.location(range),
          help: [
            "tell the user that the data could not be opened, and keep the store for a fixed version of the app",
            "if the app tells users that it keeps nothing: // schemagen:accept \(rule.id): REASON",
          ]))
    }
  }
}
