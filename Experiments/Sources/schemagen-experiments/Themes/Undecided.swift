extension Experiment {
  /// What no program here can find out, and why: nothing is left out silently.
  static var undecided: [Experiment] {
    [
      without(
        "cloudkit", "it needs a signed app, an iCloud account and a container",
        rows: ["renamed-under-cloudkit"],
        facts: [
          "migration#cloudkit-no-unique", "migration#cloudkit-optional-or-default",
          "migration#cloudkit-relationships", "migration#cloudkit-no-deny",
          "migration#cloudkit-additive-only", "migration#cloudkit-renames-are-refused",
          "migration#cloudkit-after-migration", "migration#cloudkit-downgrade",
          "migration#cloudkit-custom-stages", "swiftdata#cloudkit-database-default",
        ]),
      without(
        "generated-code", "it is about generated code; the engine sees the same column",
        rows: [
          "encoded-type-changed", "encoding-changed", "entity-mapping-changed", "enum-case-renamed",
          "enum-case-carried", "enum-case-replaced", "initializer-default-changed",
          "relationship-linked", "enum-cases-renamed", "number-range-changed",
        ]),
      without(
        "own-coding", "the app's own code reads it; the engine sees the same column",
        rows: ["value-coding-changed"]),
      without(
        "comments", "a comment is not in the program that runs", rows: ["documentation-changed"]),
      without(
        "compiler", "the compiler decides it, and a program that runs has passed it",
        facts: [
          "swiftdata#interface", "swiftdata#availability", "swiftdata#newer-systems",
          "swiftdata#model-takes-no-original-name",
          "swiftdata#plan-is-optional", "swiftdata#unique-constraints",
          "swiftdata#computed-statics-only", "swiftdata#default-isolation",
          "swiftdata#explicit-init", "swiftdata#relationship-collections",
          "swiftdata#defaults-are-qualified", "swiftdata#inverse-on-one-side",
          "swiftdata#nested-names-resolve-silently", "swiftdata#tuples-and-characters",
          "identity#no-entity-modifier",
        ]),
      without(
        "may-not-compile", "a compiler of Apple's may refuse it, and all else with it",
        facts: [
          "swiftdata#entity-aborts", "swiftdata#one-inverse-each",
        ]
      ),
      without(
        "not-in-swiftdata", "SwiftData cannot express it",
        facts: [
          "identity#derived-attributes", "migration#derived-attribute", "migration#ordered-change",
          "store-format#index-without-column", "store-format#renamed-entities",
        ]),
      without(
        "core-data", "it needs Core Data's own classes",
        facts: ["identity#on-a-mac"]),
      without(
        "newer-sdk", "it needs an SDK that not everybody has",
        facts: ["identity#type-2200", "migration#unknown-data-store-schema"]),
      without(
        "no-expectation", "nobody knows what to expect",
        facts: [
          "identity#open-questions", "migration#open-questions",
          "swiftdata#enumerate-with-mutations",
        ]),
      without(
        "not-tried", "no program for it has been written",
        facts: [
          "identity#hashes-in-text", "identity#relationship-as-key",
          "migration#two-processes", "identity#enum-in-struct", "identity#leaf-limits",
          "identity#relation-counts",
          "identity#type-other-dictionary",
        ]),
      without(
        "practice", "it tells how apps or this project do something, not what SwiftData does",
        facts: [
          "migration#stage-per-pair",
          "swiftdata#apps-types", "swiftdata#apps-relationships", "swiftdata#apps-attributes",
          "swiftdata#apps-defaults", "swiftdata#apps-stages", "swiftdata#apps-closures",
          "swiftdata#apps-forms", "swiftdata#apps-complaints", "store-format#portable-trial",
          "store-format#portable-parts", "store-format#portable-sendable",
          "store-format#portable-errors", "store-format#macro-build-times",
          "store-format#portable-limits",
        ]),
    ]
  }

  private static func without(
    _ id: String, _ reason: String, rows: [String] = [], facts: [String] = []
  ) -> Experiment {
    Experiment(
      id: "without-\(id)", claim: "none", rows: rows, facts: facts,
      limits: [.everywhere(reason)])
  }
}
