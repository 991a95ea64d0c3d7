internal import Foundation
internal import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources

/// A comment in the app's classes that answers a question: `// schemagen:V3 fill "none"`.
package enum AnswerComment {
  private static let propertyKeys: Set<String> = [
    "renamedFrom", "from", "convert", "revert", "fill", "dedupe", "fallback", "encodes", "inEntity",
    "entityProperty", "sortedBy",
  ]
  /// The keys for a model. `drop` is a line of `drops:`.
  private static let modelKeys: Set<String> = ["renamedFrom", "from", "entity", "drop"]
  package static let keys = propertyKeys.union(modelKeys).union(["coding"])

  package static func keys(ofMember isMember: Bool) -> Set<String> {
    isMember ? propertyKeys : modelKeys
  }

  package static func isMeant(_ comment: String) -> Bool {
    keys.contains(parts(of: comment).key)
  }

  /// The types that properties store as JSON, according to a file's comments.
  static func encodedNames(in source: SwiftSource) -> [String] {
    guard source.file.text.contains("encodes") else { return [] }
    return source.comments(beginningWith: AcceptanceComment.word).flatMap { comment in
      let (_, key, text) = parts(of: comment.text)
      return key == "encodes" ? (try? TypeReference(parsing: unquoted(text)))?.names ?? [] : []
    }
  }

  /// Splits a comment such as `schemagen:V3 fill "none"` into its parts.
  package static func parts(
    of comment: String
  ) -> (version: VersionNumber?, key: String, text: String) {
    var rest = comment.dropFirst(AcceptanceComment.word.count).drop { $0 == " " || $0 == "\t" }
    func word() -> String {
      let word = String(rest.prefix { $0 != " " && $0 != ":" && $0 != "\t" })
      rest = rest.dropFirst(word.count).drop { $0 == ":" || $0 == " " || $0 == "\t" }
      return word
    }
    var key = word()
    var version: VersionNumber?
    if key.first == "V", let number = VersionNumber(key) {
      version = number
      key = word()
    }
    return (version, key, String(rest))
  }

  package static func unquoted(_ type: String) -> String {
    type.trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
  }
}
