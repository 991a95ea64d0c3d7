import Testing

@testable import SchemaModel

@Suite struct ElementPathTests {
  @Test(arguments: ["Trip", "Trip.title", "Color.red", "Trip.place.city", "Trip."])
  func isPrintedAsItIsRead(_ text: String) {
    #expect(ElementPath(parsing: text).description == text)
  }

  @Test func hasTwoNames() {
    #expect(ElementPath(parsing: "Trip") == ElementPath("Trip"))
    #expect(ElementPath(parsing: "Trip.title") == ElementPath("Trip", "title"))
    #expect(ElementPath("Trip").appending("title") == ElementPath("Trip", "title"))
  }

  /// Reports sort paths by their printed form.
  @Test func isSortedAsItIsPrinted() {
    let paths = ["Trip.title", "TripPart", "Trip", "Trip.a"].map(ElementPath.init(parsing:))
    #expect(paths.sorted().map(\.description) == ["Trip", "Trip.a", "Trip.title", "TripPart"])
  }

  @Test func leadsToAProperty() {
    let property = Property(name: "title", kind: .attribute(Attribute(type: .named("String"))))
    let version = SchemaVersion(
      number: VersionNumber(1), models: [Model(name: "Trip", properties: [property])])
    #expect(version.property(at: ElementPath("Trip", "title")) == property)
    #expect(version.property(at: ElementPath("Trip")) == nil)
    #expect(version.property(at: ElementPath("Trip", "name")) == nil)
    #expect(version.property(at: ElementPath("Part", "title")) == nil)
  }
}
