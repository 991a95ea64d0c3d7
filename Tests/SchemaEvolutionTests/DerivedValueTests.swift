import Testing

@testable import SchemaEvolution
@testable import SchemaModel
@testable import SchemaRendering

@Suite struct DerivedValueTests {
  static let title = Property(name: "title", kind: .attribute(Attribute(type: .named("String"))))

  /// Properties that a CloudKit record lacks are asked for by name, so a word in an expression must not count as one.
  @Test func tellsWhichPropertiesItReads() throws {
    let expression = try SwiftExpression("other($0)")
    let made = DerivedValue.converted(
      [.property(Self.title)], by: .expression(expression), step: "S")
    #expect(made.properties == ["title"])
    let link = LinkReading(
      property: "parts", cardinality: .many, form: .identifiers, isList: true)
    #expect(DerivedValue.links(link).properties == ["parts"])
    let adapted = DerivedValue.adapted(
      .column("a"), from: .named("Int"), to: .named("String"), canFail: false,
      substitute: .column("b"))
    #expect(adapted.properties == ["a", "b"])
    #expect(DerivedValue.expression(expression).properties == [])
  }

  /// Whether a value is nil is known before it is written, and agrees with the text.
  @Test(arguments: ["nil", "$0", "$0 ?? nil", "f($0)"])
  func knowsNil(_ text: String) throws {
    let conversion = Conversion.expression(try SwiftExpression(text))
    for value in [DerivedValue.nothing, .column("x")] {
      let made = DerivedValue.converted([value], by: conversion, step: "S")
      #expect(made.isNil == (ConversionText().text(made) == "nil"), "\(text) of \(value)")
      let reverted = DerivedValue.reverted(
        [value], from: [.named("Int")], by: conversion, step: "S")
      #expect(reverted.isNil == (ConversionText().text(reverted) == "nil"), "\(text) of \(value)")
    }
  }
}
