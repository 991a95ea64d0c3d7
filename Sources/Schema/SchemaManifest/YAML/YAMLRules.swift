package import SchemaModel

extension Rule {
  package static let unreadableFile = Rule(
    "unreadable-file", .error, "A manifest is UTF-8 text of at most 4 MiB", basis: .manifest)
  package static let emptyFile = Rule(
    "empty-file", .error, "A manifest is not empty", basis: .manifest)
  package static let yamlSyntax = Rule(
    "yaml-syntax", .error, "A manifest is well-formed YAML",
    basis: .publication("YAML 1.1, as libyaml reads it"))
  package static let yamlUnsupported = Rule(
    "yaml-unsupported", .error,
    "A manifest is one document without anchors, aliases, merge keys, tags or deep nesting",
    basis: .manifest)
  package static let duplicateKey = Rule(
    "duplicate-key", .error, "A key appears once in its mapping", basis: .manifest)
}
