internal import Foundation
internal import ManagedModels

/// What lineage expects of one property of one row at the end of a path.
struct Prediction {
  /// What one column of the property must hold.
  enum Slot: Equatable {
    case exactly(StoredValue)
    case present
    case anything
  }

  /// The fate of this row's value, which may differ from the property's fate: a null that a default replaced is
  /// defaulted.
  var fate: FieldExpectation.Fate
  /// Predictions by slot path without the property's name.
  private var slots: [String: Slot]
  private var other: Slot

  func slot(_ suffix: String) -> Slot { slots[suffix] ?? other }

  var exact: [String: StoredValue] {
    slots.compactMapValues { if case .exactly(let value) = $0 { value } else { nil } }
  }

  /// Whether all columns of the property will be null; nil if unknown.
  var isNull: Bool? {
    if case .exactly(.null) = other, slots.values.allSatisfy({ $0 == .exactly(.null) }) {
      return true
    }
    if slots.values.contains(where: {
      if case .exactly(let value) = $0 { value != .null } else { $0 == .present }
    }) {
      return false
    }
    return nil
  }

  init(_ expectation: FieldExpectation, _ row: StoreDump.Row, in table: StoreDump.Table) {
    fate = expectation.fate
    slots = [:]
    other = .exactly(.null)
    if let constant = expectation.constant {
      set(constant)
    } else if let origin = expectation.origins.first, expectation.origins.count == 1 {
      // The effects of casts and nulls are decided below, for this row.
      fate = .preserved
      for place in table.places[origin] ?? [] {
        slots[table.suffix(of: place, in: origin)] = .exactly(row.values[place])
      }
      // A new element of a struct holds null, or the value that decoding makes of a null.
      if (table.places[origin] ?? []).count > 1 { other = .anything }
    }
    for step in expectation.steps { take(step) }
  }

  private mutating func set(_ constant: PlannedConstant) {
    fate = constant.isFill ? .filled : .defaulted
    loosen()
    if let value = constant.value {
      slots = ["": .exactly(value), ".rawValue": .exactly(value)]
    }
  }

  private mutating func take(_ step: ValueStep) {
    switch step {
    case .conversion:
      fate = fate == .filled || fate == .added ? fate : .converted
      loosen()
    case .nullBecomes(let constant):
      if isNull == true { set(constant) } else if isNull == nil { loosen() }
    case .caseBecomes(let changes):
      for (suffix, slot) in slots {
        guard case .exactly(let value) = slot,
          let change = changes.first(where: { $0.old == value })
        else { continue }
        slots[suffix] = .exactly(change.new)
        if fate == .preserved { fate = .converted }
      }
    case .cast(let from, let to, let element):
      if fate == .preserved, isNull != true { fate = .converted }
      guard case .exactly(let value)? = slots[element], value != .null else { return }
      slots[element] = value.cast(from: from, to: to).map { .exactly($0) } ?? .present
    }
  }

  private mutating func loosen() {
    slots = [:]
    other = .anything
  }
}

extension StoredValue {
  /// The value as another numeric type, if both types represent it exactly; nil otherwise.
  func cast(from: AttributeType, to: AttributeType) -> StoredValue? {
    let number: Double
    let whole: Int64?
    switch self {
    case .integer(let value):
      number = Double(value)
      whole = value
    case .real(let value):
      number = value
      whole = Int64(exactly: value)
    default: return nil
    }
    switch to {
    case .boolean: return .integer(number == 0 ? 0 : 1)
    case .integer16: return whole.flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: return whole.flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: return whole.map { .integer($0) }
    case .float:
      guard Double(Float(number)) == number, whole.map({ Double($0) == number }) ?? true else {
        return nil
      }
      return .real(number)
    case .double, .decimal:
      // Above 2^53 not every whole number is a double.
      guard whole.map({ Int64(exactly: Double($0)) == $0 }) ?? true, number.isFinite else {
        return nil
      }
      return .real(number)
    default: return nil
    }
  }
}
