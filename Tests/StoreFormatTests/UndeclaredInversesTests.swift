import Testing

@testable import ManagedModels

/// The relationships that SwiftData joins by itself: docs/facts/identity.md#inverses-that-are-not-declared.
@Suite struct UndeclaredInversesTests {
  /// `A.b?` is an optional to-one of A that leads to B, `A.bs*` a list, `A.bs*?` an optional list; `=` follows one
  /// that was declared.
  private static func end(_ text: String, to destination: String) -> UndeclaredInverses.End {
    let parts = text.split(separator: ".")
    return UndeclaredInverses.End(
      entity: String(parts[0]), name: parts[1].filter(\.isLetter), destination: destination,
      isToMany: text.contains("*"), isOptional: text.contains("?"), isJoined: text.contains("="))
  }

  @Test(arguments: [
    // A list and an optional to-one pair; with a mandatory one, and two plain lists, they do not.
    (["A.bs*", "B.a?"], ["B", "A"], true), (["A.bs*", "B.a"], ["B", "A"], false),
    (["A.bs*", "B.as*"], ["B", "A"], false), (["A.bs*?", "B.as*"], ["B", "A"], true),
    (["A.b?", "B.a"], ["B", "A"], false), (["A.b?", "B.a?"], ["B", "A"], true),
    // Two candidates, two ways there, or one class: nobody knows which.
    (["A.b?", "B.a?", "B.other?"], ["B", "A", "A"], false),
    (["A.b?", "A.other?", "B.a?"], ["B", "B", "A"], false),
    (["A.parent?", "A.children*"], ["A", "A"], false), (["A.partner?"], ["A"], false),
    // An entity that declares one inverse has declared them all; the other side is still asked.
    (["A.b?", "A.c?=", "B.a", "C.a*="], ["B", "C", "A", "A"], false),
    (["A.bs*", "A.c?=", "B.a?", "C.a*="], ["B", "C", "A", "A"], true),
    (["A.bs*?", "A.c?=", "B.as*", "C.a*="], ["B", "C", "A", "A"], false),
  ])
  func pairs(_ ends: [String], _ destinations: [String], _ isPaired: Bool) {
    let all = zip(ends, destinations).map(Self.end)
    #expect(UndeclaredInverses(all).pairs.count == (isPaired ? 1 : 0))
    // The order in which they are told makes no difference.
    #expect(UndeclaredInverses(all.reversed()).pairs.count == (isPaired ? 1 : 0))
  }
}
