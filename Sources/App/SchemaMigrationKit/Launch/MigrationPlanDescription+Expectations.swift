internal import StoreFormat

extension MigrationPlanDescription {
  /// What a manifest asserts of a step. The generator writes them, with what properties were called in older versions.
  public struct Expectation: Sendable {
    /// One row's values, by the names of its properties.
    public struct Row: Sendable {
      let values: RowValues
      /// Whether it is the row before the step.
      let isOld: Bool

      /// A value, an optional one, or an enum's case by its raw value.
      ///
      /// - Throws: An error where the column holds something else; it has no value in it.
      public func value<Value>(_ property: String) throws -> Value {
        do { return try values.value(property) } catch { throw Unreadable(isOld: isOld) }
      }

      /// A column that holds nothing of the type that the manifest says.
      struct Unreadable: Error {
        var isOld: Bool
      }
    }

    /// What rows are compared with: those of one older version.
    public struct Origin: Sendable, Hashable {
      /// Of the store before the migration.
      public let version: StoreVersion
      /// The entities whose rows they were.
      public let entities: [String]
      /// What properties were called there, by the names that the assertion has for them.
      public let names: [String: String]

      /// - Parameters:
      ///   - version: Of the store before the migration.
      ///   - entities: The entities whose rows they were.
      ///   - names: What properties were called there, by the names that the assertion has for them.
      public init(_ version: StoreVersion, _ entities: [String], names: [String: String] = [:]) {
        self.version = version
        self.entities = entities
        self.names = names
      }
    }

    enum Claim: Sendable {
      case count
      case present(String)
      case after(@Sendable (Row) throws -> Bool)
      case pair(@Sendable (_ old: Row, _ new: Row) throws -> Bool)
    }

    /// As the manifest has it.
    public let text: String
    /// The version that the step leads to: stores of it and of later ones have taken the step before.
    public let step: StoreVersion
    /// What the model is called in the newest version.
    public let entity: String
    /// What properties are called in the newest version, by the names that the assertion has for them.
    public let names: [String: String]
    /// The older versions that it can be held for; another store's rows were changed on the way to the step. None are
    /// named by what speaks of the row after the step alone: that holds for all.
    public let origins: [Origin]
    let claim: Claim

    private init(
      _ text: String, _ step: StoreVersion, _ entity: String, _ names: [String: String],
      _ origins: [Origin], _ claim: Claim
    ) {
      self.text = text
      self.step = step
      self.entity = entity
      self.names = names
      self.origins = origins
      self.claim = claim
    }

    /// As many rows as those of the origin's entities.
    public static func count(
      _ text: String, step: StoreVersion, of entity: String, origins: [Origin]
    ) -> Expectation {
      Expectation(text, step, entity, [:], origins, .count)
    }

    /// No row without a value, or a link to one row, of `property`, but for rows that had none before.
    public static func present(
      _ text: String, step: StoreVersion, of entity: String, _ property: String,
      origins: [Origin]
    ) -> Expectation {
      Expectation(text, step, entity, [property: property], origins, .present(property))
    }

    /// `holds` for every row.
    public static func after(
      _ text: String, step: StoreVersion, of entity: String, names: [String: String],
      holds: @escaping @Sendable (Row) throws -> Bool
    ) -> Expectation {
      Expectation(text, step, entity, names, [], .after(holds))
    }

    /// `holds` for every row and the row that it was.
    public static func pair(
      _ text: String, step: StoreVersion, of entity: String, names: [String: String],
      origins: [Origin], holds: @escaping @Sendable (_ old: Row, _ new: Row) throws -> Bool
    ) -> Expectation {
      Expectation(text, step, entity, names, origins, .pair(holds))
    }
  }
}

extension MigrationPlanDescription.Expectation: Hashable {
  /// Whether they assert the same of the same rows; of expressions the text is compared.
  public static func == (
    lhs: MigrationPlanDescription.Expectation, rhs: MigrationPlanDescription.Expectation
  ) -> Bool {
    lhs.text == rhs.text && lhs.step == rhs.step && lhs.entity == rhs.entity
      && lhs.names == rhs.names && lhs.origins == rhs.origins
  }

  /// The text and the step.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(step)
  }
}
