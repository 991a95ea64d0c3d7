/// What the rules about schema.lock share: two versions, of which the first has shipped.
extension Example {
  private static let versions = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    version: 2.0.0
    summary: trips have a budget
    models:
      Trip:
        properties:
          name: String
          budget: Int?
    === schema.lock

    """

  /// The two versions beside a lock.
  init(lock: String, with companions: Set<String> = []) {
    self.init(Self.versions + lock, with: companions)
  }

  /// The two versions beside their own lock.
  static let wholeLock = Example(
    lock: """
      # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
      format: 3
      versions:
        - version: 1.0.0
          state: released
          identity: e8560a85db76725656375fa8f53c992d4f8627f1435489ddb9b91b8e54443c46
          digest: e71327c6caa6982958c32ae19989be984662871476187796d3007ac3e0b64ee5
          sum: 8f1f0d739ff84ed365915d7bdef80cb62db4294296ccc6c06c9f95fafcc5eb21
        - version: 2.0.0
          state: draft
          identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
          digest: bb76172304aeb826a22f8fe95866a9f78b5ac7b3e0f9029994cd1f28d65dbe50
          sum: d00aacd355f77b38cbabbfabef0de704ea2a581065238fd724505c62294b2179
      """)
}
