internal import Foundation

/// What a look at a store after its migration has found.
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
  /// The name of the version that the store was held against.
  public let version: String
  /// One for each entity of the version, by name.
  public let counts: [Count]
  /// What is wrong.
  public let issues: [Issue]

  /// Rows of an entity before and after.
  public struct Count: Sendable, Hashable {
    /// The entity.
    public let entity: String
    /// How many there were; `nil` for a new entity, or when nobody has counted.
    public let before: Int?
    /// How many there are.
    public let after: Int
    /// Why the number may have changed; `nil` when it may not.
    public let reason: String?
  }

  /// Something that is wrong.
  public enum Issue: Sendable, Hashable, CustomStringConvertible {
    /// An entity has fewer rows than before.
    case rowsLost(entity: String, before: Int, after: Int)
    /// An entity has more rows than before.
    case rowsGained(entity: String, before: Int, after: Int)
    /// A many-to-many relationship has fewer links than before, those left out that lead to no row.
    case linksLost(entity: String, relationship: String, before: Int, after: Int)
    /// Rows refer to rows that are not there. `example` is the `Z_PK` of one of them.
    case orphans(entity: String, relationship: String, count: Int, example: Int64)
    /// So many combinations of values occur more than once.
    case duplicates(entity: String, properties: [String], count: Int)
    /// Rows have no value where they must have one.
    case missingValues(entity: String, property: String, count: Int)
    /// A table has rows of no entity that belongs there.
    case strangers(table: String, count: Int)
    /// The store is not of the version, for this reason.
    case otherVersion(String)

    /// Whether rows or links are gone.
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
        "'\(entity).\(relationship)' refers \(count) times to rows that do not exist, for example in row \(example)"
      case .duplicates(let entity, let properties, let count):
        "'\(entity)' must be unique by \(properties.joined(separator: ", ")), but \(count) values occur more than once"
      case .missingValues(let entity, let property, let count):
        "'\(entity).\(property)' must have a value, but has none in \(count) rows"
      case .strangers(let table, let count): "'\(table)' has \(count) rows of unknown entities"
      case .otherVersion(let why): why
      }
    }
  }

  /// Whether all is as the plan says.
  public var isValid: Bool { issues.isEmpty }

  /// Whether rows, or links of many-to-many relationships, are gone that should not be.
  public var losesRows: Bool { issues.contains(where: \.isLoss) }

  /// Counts and issues, in lines for people.
  public var description: String {
    var lines = ["\(version): \(isValid ? "no issues" : "\(issues.count) issues")"]
    for count in counts {
      let before = count.before.map { "\($0) → " } ?? ""
      let reason = count.reason.map { " (\($0))" } ?? ""
      lines.append("  \(count.entity): \(before)\(count.after)\(reason)")
    }
    return (lines + issues.map { "  ! \($0)" }).joined(separator: "\n")
  }
}
