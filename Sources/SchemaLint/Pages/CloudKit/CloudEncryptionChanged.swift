internal import SchemaEvolution

struct CloudEncryptionChanged: ChangePage {
  let kind = ChangeKind.cloudEncryptionChanged
  let category = RuleCategory.cloudKit

  let purpose = """
    `allowsCloudEncryption` does nothing in the local store, and CloudKit fixes it with the field's
    first deployment: in a production schema a field can never become encrypted, or stop being so.
    With CloudKit add a new attribute and carry the values over; without it accept the change with
    that reason.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            date: Date = Date.distantPast
            text: String?
      === V2.yaml
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
      version: 1.0.0
      models:
        Entry:
          properties:
            date: Date = Date.distantPast
            text: String?
      === V2.yaml
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
