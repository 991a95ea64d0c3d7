internal import SchemaEvolution

struct CloudEncryptionChanged: ChangePage {
  let kind = ChangeKind.cloudEncryptionChanged
  let category = RuleCategory.cloudKit

  let purpose = """
    `allowsCloudEncryption` does nothing in the local store. CloudKit fixes it at the field's
    first deployment: in a production schema you can neither encrypt a field later nor stop
    encrypting it. If the store syncs, this is an error: leave the option as it was, add an
    optional property of another name, and let the app fill it. If it does not, it is a warning:
    accept it with that reason.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          date: Date = Date.distantPast
          text: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          properties:
            date: Date = Date.distantPast
            ‹text›: { type: String?, allowsCloudEncryption: true }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          properties:
            date: Date = Date.distantPast
            text: String?
            secret: { type: String?, allowsCloudEncryption: true }
      === schemagen.yaml
      cloudKit: private
      """)
  ]
}
