internal import SchemaManifest
internal import SchemaModel

struct ReservedName: RulePage {
  let rule = Rule.reservedName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/NodeInterpreter+Models.swift",
    "Schema/SchemaManifest/Reading/NodeInterpreter+Names.swift",
    "Schema/SchemaManifest/Resolving/ReferenceResolver+Types.swift",
  ]

  let purpose = """
    `@Model` rejects a stored property named `description`; one named `entity` made an app crash
    on the first save; `hashValue`, `isDeleted` and others belong to PersistentModel. The
    compiler complains late, in generated code, or not at all. Choose another name for the
    store; with `entityProperty:` the domain entity keeps the name that you wanted.

    The name `description` is an error for a field of a struct that has columns. It is allowed
    if the struct is the element of an array or a value in a dictionary. In a version with
    `identity: shipped`, a property `isDeleted` is only a warning, because its stores exist.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            ‹description›: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            summary: { type: String, entityProperty: description }
      """)
  ]
}
