internal import SchemaEvolution
internal import SchemaModel

struct ExternalStorageRemoved: ChangePage {
  let kind = ChangeKind.externalStorageRemoved
  let category = RuleCategory.migration

  let purpose = """
    Large values in external storage are files beside the store. The engine lets a column become
    external, but does not infer the way back: wherever a store of the version before lies, the container
    cannot be opened (134140, with 134190 inside). Name the property itself in `from:` and copy it with `convert: $0`: a
    bridge version holds both columns while the values move.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            photo: { type: Data?, externalStorage: true }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            ‹photo›: Data?
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
            photo: { type: Data?, externalStorage: true }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            photo: { type: Data?, from: photo, convert: $0 }
      """)
  ]
}
