internal import SchemaModel
internal import SwiftSources

/// The Swift files below some folders.
package struct SourceTree: Sendable {
  package init() {}
}
