internal import SchemaEvolution
internal import SchemaModel

struct DeleteRuleCycle: LintRule {
  let rule = Rule.deleteRuleCycle

  func findings(in context: LintContext) -> [Diagnostic] {
    var edges: [String: [(to: String, model: Model, property: Property)]] = [:]
    for (model, property, relationship) in context.newest.allRelationships
    where relationship.deleteRule == .cascade && relationship.destination.value != model.name {
      edges[model.name, default: []].append((relationship.destination.value, model, property))
    }
    let groups = Circles(edges.mapValues { $0.map(\.to) }).groups
    return groups.compactMap { group in
      let members = Set(group)
      guard let first = group.min(),
        let edge = edges[first]?.first(where: { members.contains($0.to) })
      else { return nil }
      let element = ElementPath(edge.model.name, edge.property.name)
      let names = group.sorted().map { "'\($0)'" }.joined(separator: ", ")
      return Diagnostic(
        rule, "deletions of \(names) cascade in a circle", element: element,
        at: edge.property.location,
        help: [
          "remove 'deleteRule: cascade' from the relationship that leads from a row to its owner",
          context.acceptance(id, element),
        ])
    }
  }
}

/// Finds the cycles of a graph as its strongly connected components (Tarjan). It uses its own stack, since a chain of
/// models may be long.
private struct Circles {
  private(set) var groups: [[String]] = []

  init(_ edges: [String: [String]]) {
    var index: [String: Int] = [:]
    var low: [String: Int] = [:]
    var stack: [String] = []
    var isOnStack: Set<String> = []
    for start in edges.keys.sorted() where index[start] == nil {
      var work: [(node: String, next: Int)] = [(start, 0)]
      while let (node, next) = work.popLast() {
        if next == 0 {
          index[node] = index.count
          low[node] = index[node]
          stack.append(node)
          isOnStack.insert(node)
        }
        let targets = edges[node] ?? []
        if next > 0, isOnStack.contains(targets[next - 1]) {
          low[node] = min(low[node]!, low[targets[next - 1]]!)
        }
        if next < targets.count {
          work.append((node, next + 1))
          let target = targets[next]
          if index[target] == nil {
            work.append((target, 0))
          } else if isOnStack.contains(target) {
            low[node] = min(low[node]!, index[target]!)
          }
        } else if low[node] == index[node] {
          var group: [String] = []
          while let last = stack.popLast() {
            isOnStack.remove(last)
            group.append(last)
            if last == node { break }
          }
          if group.count > 1 { groups.append(group) }
        }
      }
    }
  }
}
