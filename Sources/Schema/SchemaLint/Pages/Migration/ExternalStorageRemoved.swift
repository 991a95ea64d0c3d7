internal import SchemaEvolution
internal import SchemaModel

struct ExternalStorageRemoved: ChangePage {
  let kind = ChangeKind.externalStorageRemoved
  let category = RuleCategory.migration

  let purpose = """
    External storage keeps large values in files beside the store. The engine can make a column
    external but cannot infer the way back: on every device with a store of the previous
    version, the container does not open (134140, with 134190 inside). Name the property itself
    in `from:` and copy it with `convert: $0`: a bridge version holds both columns while the
    values are copied.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          photo: { type: Data?, externalStorage: true }
    === V2.yaml
    """

  let bad = [
    Example(
      """
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
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            photo: { type: Data?, from: photo, convert: $0 }
      """)
  ]
}
