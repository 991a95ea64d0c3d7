internal import SchemaEvolution

struct TransformerChanged: ChangePage {
  let kind = ChangeKind.transformerChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The bytes in old rows were written by the old transformer, and the store does not keep which one
    that was. What a new one makes of bytes that it did not write is up to its code, and no
    migration asks it. Keep the transformer; or accept the change with a reason once the new one is
    known to read what the old one wrote.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            route: { type: Data?, transformable: RouteTransformer }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            # schemagen:accept transformable-attribute: another app writes these archives
            ‹route›: { type: Data?, transformable: SecureRouteTransformer }
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
            route: { type: Data?, transformable: RouteTransformer }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            # schemagen:accept transformable-attribute: another app writes these archives
            route: { type: Data?, transformable: SecureRouteTransformer }
      accept:
        - rule: transformer-changed
          element: Trip.route
          reason: it reads archives of the old one, see RouteTransformerTests
      """)
  ]
}
