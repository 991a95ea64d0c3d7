internal import SchemaManifest
internal import SchemaModel

struct ReservedName: RulePage {
  let rule = Rule.reservedName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/Reading/NodeInterpreter+Models.swift",
    "SchemaManifest/Reading/NodeInterpreter+Names.swift",
    "SchemaManifest/Resolving/ReferenceResolver+Types.swift",
  ]

  let purpose = """
    `@Model` rejects a stored property named `description`; one named `entity` was seen to abort on
    the first save; `hashValue`, `isDeleted` and others are PersistentModel's own. The compiler says
    so late, in generated code, or not at all. Choose another name in the store; with
    `entityProperty:` the domain entity keeps the one that you wanted.

    A struct's field `description` is refused where the struct has columns, not where it is the
    element of an array or a value in a dictionary. A property `isDeleted` of a version with `identity: shipped` is a warning:
    its stores exist.
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
