import Testing

@testable import ManagedModels

/// The relationships that SwiftData pairs by itself: docs/facts/identity.md#inverses-that-are-not-declared.
@Suite struct UndeclaredInversesTests {
  /// `A.b?` is an optional to-one relationship of A that leads to B, `A.bs*` a list, `A.bs*?` an optional list; `=`
  /// marks a declared inverse.
  private static func end(_ text: String, to destination: String) -> UndeclaredInverses.End {
    let parts = text.split(separator: ".")
    return UndeclaredInverses.End(
      entity: String(parts[0]), name: parts[1].filter(\.isLetter), destination: destination,
      isToMany: text.contains("*"), isOptional: text.contains("?"), isJoined: text.contains("="))
  }

  @Test(arguments: [
    // A list and an optional to-one relationship are paired; a list and a mandatory one, or two plain lists, are not.
    (["A.bs*", "B.a?"], ["B", "A"], true), (["A.bs*", "B.a"], ["B", "A"], false),
    (["A.bs*", "B.as*"], ["B", "A"], false), (["A.bs*?", "B.as*"], ["B", "A"], true),
    (["A.b?", "B.a"], ["B", "A"], false), (["A.b?", "B.a?"], ["B", "A"], true),
    // With two candidates, two ways there, or a single class, the pair is ambiguous.
    (["A.b?", "B.a?", "B.other?"], ["B", "A", "A"], false),
    (["A.b?", "A.other?", "B.a?"], ["B", "B", "A"], false),
    (["A.parent?", "A.children*"], ["A", "A"], false), (["A.partner?"], ["A"], false),
    // An entity that declares one inverse counts as having declared all; the other side is still considered.
    (["A.b?", "A.c?=", "B.a", "C.a*="], ["B", "C", "A", "A"], false),
    (["A.bs*", "A.c?=", "B.a?", "C.a*="], ["B", "C", "A", "A"], true),
    (["A.bs*?", "A.c?=", "B.as*", "C.a*="], ["B", "C", "A", "A"], false),
  ])
  func pairs(_ ends: [String], _ destinations: [String], _ isPaired: Bool) {
    let all = zip(ends, destinations).map(Self.end)
    #expect(UndeclaredInverses(all).pairs.count == (isPaired ? 1 : 0))
    // The order of relationships makes no difference.
    #expect(UndeclaredInverses(all.reversed()).pairs.count == (isPaired ? 1 : 0))
  }
}
