internal import Foundation

/// The result of a validation.
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
  /// The name of the version that the store should have.
  public let version: String
  /// The counts for each entity of the version, sorted by name.
  public let counts: [Count]
  /// The problems that were found.
  public let issues: [Issue]

  /// The number of an entity's rows before and after a migration.
  public struct Count: Sendable, Hashable {
    /// The entity's name.
    public let entity: String
    /// The number of rows before; `nil` for a new entity, or if they were not counted.
    public let before: Int?
    /// The number of rows after.
    public let after: Int
    /// The reason why the number may have changed; `nil` if it must not.
    public let reason: String?
  }

  /// A problem in a store.
  public enum Issue: Sendable, Hashable, CustomStringConvertible {
    /// An entity has fewer rows than before.
    case rowsLost(entity: String, before: Int, after: Int)
    /// An entity has more rows than before.
    case rowsGained(entity: String, before: Int, after: Int)
    /// A many-to-many relationship has fewer links than before. Links to missing rows are not counted.
    case linksLost(entity: String, relationship: String, before: Int, after: Int)
    /// Rows refer to missing rows. `example` is the `Z_PK` of one of the referring rows.
    case orphans(entity: String, relationship: String, count: Int, example: Int64)
    /// Combinations of values that must be unique occur more than once. `count` is the number of these combinations.
    case duplicates(entity: String, properties: [String], count: Int)
    /// Rows lack a value that they must have.
    case missingValues(entity: String, property: String, count: Int)
    /// A table has rows whose entity is unknown, or does not belong in the table.
    case strangers(table: String, count: Int)
    /// The store does not have the version, for this reason.
    case otherVersion(String)

    var isLoss: Bool {
      switch self {
      case .rowsLost, .linksLost: true
      default: false
      }
    }

    public var description: String {
      switch self {
      case .rowsLost(let entity, let before, let after):
        "'\(entity)' has lost rows: \(after) of \(before) are left"
      case .rowsGained(let entity, let before, let after):
        "'\(entity)' has more rows than before: \(after) instead of \(before)"
      case .linksLost(let entity, let relationship, let before, let after):
        "'\(entity).\(relationship)' has lost links: \(after) of \(before) are left"
      case .orphans(let entity, let relationship, let count, let example):
        "'\(entity).\(relationship)' refers \(counting(count, "time")) to rows that do not exist, for example in row \(example)"
      case .duplicates(let entity, let properties, let count):
        "'\(entity)' must be unique by \(properties.joined(separator: ", ")), but \(counting(count, "value")) \(count == 1 ? "occurs" : "occur") more than once"
      case .missingValues(let entity, let property, let count):
        "'\(entity).\(property)' must have a value, but has none in \(counting(count, "row"))"
      case .strangers(let table, let count):
        "'\(table)' has \(counting(count, "row")) of unknown entities"
      case .otherVersion(let why): why
      }
    }
  }

  /// Whether no problem was found.
  public var isValid: Bool { issues.isEmpty }

  /// Whether rows, or links of many-to-many relationships, are missing that should exist.
  public var losesRows: Bool { issues.contains(where: \.isLoss) }

  /// Counts and problems, in lines for people.
  public var description: String {
    var lines = ["\(version): \(isValid ? "no issues" : counting(issues.count, "issue"))"]
    for count in counts {
      let before = count.before.map { "\($0) → " } ?? ""
      let reason = count.reason.map { " (\($0))" } ?? ""
      lines.append("  \(count.entity): \(before)\(count.after)\(reason)")
    }
    return (lines + issues.map { "  ! \($0)" }).joined(separator: "\n")
  }
}

/// A number with its noun: `1 row`, `2 rows`.
func counting(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
