/// A location in a file that the user wrote.
///
/// `line` and `column` count from 1. Columns count Unicode scalars, as libyaml and most editors do. `length` is the
/// number of scalars that carets underline, at least 1.
package struct SourceLocation: Hashable, Sendable, Encodable {
  /// The path as the user would type it, relative to the working directory if possible.
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
  package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
    (lhs.file, lhs.line, lhs.column, lhs.length) < (rhs.file, rhs.line, rhs.column, rhs.length)
  }
}

/// A property that equality ignores, such as the location of a value.
@propertyWrapper
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A value with its location in the source. Equality ignores the location.
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
