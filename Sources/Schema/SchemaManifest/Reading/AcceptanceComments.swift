internal import SchemaModel

/// The comments in a manifest that accept findings.
struct AcceptanceComments {
  let file: SourceFile

  func read(into findings: inout Findings) -> [Acceptance] {
    var acceptances: [Acceptance] = []
    for comment in YAMLComments.beginning(with: AcceptanceComment.word, in: file) {
      let place = comment.location
      switch AcceptanceComment.read(comment.text, sign: "#", subject: comment.subject) {
      case .failure(let failure):
        findings.report(.malformedAcceptance, failure.message, at: place, help: [failure.help])
      case .success(let read):
        acceptances.append(
          Acceptance(
            rule: Located(read.rule, at: place), target: .line(read.subject), reason: read.reason,
            until: read.until.map { Located($0, at: place) }))
      }
    }
    return acceptances
  }
}
