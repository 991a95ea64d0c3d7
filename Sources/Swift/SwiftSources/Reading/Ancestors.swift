package import SwiftSyntax

/// Finds the value of the innermost node around code that has one.
///
/// Each node is evaluated once, however much code it contains. In a chain of calls, the tree is as deep as the chain
/// is long.
package final class Ancestors<Value> {
  private let told: (Syntax) -> Value?
  private var known: [SyntaxIdentifier: Value?] = [:]

  /// - Parameter told: Returns a node's value, which counts for everything inside the node.
  package init(_ told: @escaping (Syntax) -> Value?) { self.told = told }

  /// The value of the innermost node around the node, without the node itself.
  package func value(around node: some SyntaxProtocol) -> Value? {
    var asked: [SyntaxIdentifier] = []
    var value: Value?
    var next = node.parent
    while let current = next {
      if let known = known[current.id] {
        value = known
        break
      }
      asked.append(current.id)
      value = told(current)
      next = value == nil ? current.parent : nil
    }
    for id in asked { known.updateValue(value, forKey: id) }
    return value
  }
}

extension Set<SyntaxIdentifier> {
  /// The nodes, and all nodes around them.
  package init(around nodes: some Sequence<some SyntaxProtocol>) {
    self.init()
    for node in nodes {
      var next: Syntax? = Syntax(node)
      while let current = next, insert(current.id).inserted { next = current.parent }
    }
  }
}
