/// A place in a text that the user wrote.
///
/// `line` and `column` count from 1; a column is a Unicode scalar, as libyaml and most editors count.
/// `length` is the number of scalars that a caret line underlines, at least 1.
package struct SourceLocation: Hashable, Sendable, Encodable {
  /// The file's path as the user would type it, relative to the working directory if possible.
  package var file: String
  package var line: Int
  package var column: Int
  package var length: Int

  package init(file: String, line: Int = 1, column: Int = 1, length: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.length = max(1, length)
  }
}

extension SourceLocation: Comparable {
  /// Orders by file, line, then column, so that a report does not depend on the order of checks.
  package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
    (lhs.file, lhs.line, lhs.column, lhs.length) < (rhs.file, rhs.line, rhs.column, rhs.length)
  }
}

/// A part of a value that equality ignores, such as where the value was written.
@propertyWrapper
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A value with the place where it was written. Equality ignores the place.
@dynamicMemberLookup
package struct Located<Value> {
  package var value: Value
  package var location: SourceLocation?

  package init(_ value: Value, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }

  package subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }
}

extension Located: Equatable where Value: Equatable {
  package static func == (lhs: Located, rhs: Located) -> Bool { lhs.value == rhs.value }
}

extension Located: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Located: Sendable where Value: Sendable {}
