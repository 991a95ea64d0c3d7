package import SchemaModel
internal import SchemaWorkspace

/// The severities of several folders. A file uses those of the nearest folder.
package struct SeverityResolver {
  private let levels: [(path: [Substring], levels: RuleLevels)]

  package init(_ folders: [(path: String, configuration: Configuration)]) {
    levels = folders.map { folder in
      (
        folder.path.split(separator: "/"),
        RuleLevels(folder.configuration, in: folder.path)
      )
    }
  }

  package func apply(to diagnostics: [Diagnostic], in path: String) -> [Diagnostic] {
    let parts = path.split(separator: "/")
    let nearest = levels.enumerated().max { left, right in
      let (leftCount, rightCount) = (
        Self.common(left.element.path, parts), Self.common(right.element.path, parts)
      )
      // If two folders are equally near, the first is used.
      return leftCount != rightCount ? leftCount < rightCount : left.offset > right.offset
    }
    return nearest?.element.levels.apply(to: diagnostics) ?? diagnostics
  }

  private static func common(_ left: [Substring], _ right: [Substring]) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }
}
