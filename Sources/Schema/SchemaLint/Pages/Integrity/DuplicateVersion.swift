internal import SchemaManifest
internal import SchemaModel

struct DuplicateVersion: RulePage {
  let rule = Rule.duplicateVersion
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/HistoryCheck.swift"]

  let purpose = """
    Two manifests describe the same version differently. They come from a merge of two branches
    that each added a version, or from two spellings of one name, such as `V1.1.yaml` and
    `V1_1.yaml`. Give the later one the next number, or delete it.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V1.1.yaml
    version: 1.1.0
    models:
      Trip:
        properties:
          name: String
          notes: String?
    """

  let bad = [
    Example(
      """
      === V1_1.yaml
      ‹v›ersion: 1.1.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
      """)
  ]

  let good = [
    Example(
      """
      === V1.2.yaml
      version: 1.2.0
      models:
        Trip:
          properties:
            name: String
            notes: String?
            budget: Int?
      """)
  ]
}
