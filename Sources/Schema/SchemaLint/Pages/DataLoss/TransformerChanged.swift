internal import SchemaEvolution

struct TransformerChanged: ChangePage {
  let kind = ChangeKind.transformerChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The old transformer wrote the bytes in old rows, and the store does not record which one it
    was. No migration calls a transformer, so only the new one's code decides what it makes of
    those bytes. Keep the old transformer, or accept the finding with a reason once you know
    that the new one reads what the old one wrote.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          route: { type: Data?, transformable: RouteTransformer }
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
            # schemagen:accept transformable-attribute: another app writes these archives
            ‹route›: { type: Data?, transformable: SecureRouteTransformer }
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
            # schemagen:accept transformable-attribute: another app writes these archives
            route: { type: Data?, transformable: SecureRouteTransformer }
      accept:
        - rule: transformer-changed
          element: Trip.route
          reason: it reads archives of the old one, see RouteTransformerTests
      """)
  ]
}
