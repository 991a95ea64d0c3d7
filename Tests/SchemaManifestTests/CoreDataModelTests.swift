import ManagedModels
import SchemaManifest
import SchemaModel
import TestSupport
import Testing

/// Sources of Core Data models, good and bad.
@Suite struct CoreDataModelTests {
  private func read(_ text: String) -> (model: CoreDataModel?, diagnostics: [Diagnostic]) {
    CoreDataModelReader.read(SourceFile(path: "contents", text: text), name: "Trips")
  }

  @Test("What Core Data hashes is read from its model, and other traits are reported")
  func everything() throws {
    let text = CoreDataSource.text(
      """
      <entity name="Place" representedClassName="PlaceMO" isAbstract="YES" versionHashModifier="2" syncable="YES" elementID="Spot">
          <attribute name="area" attributeType="Composite" composite="Area"/>
          <attribute name="blob" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preservesValueInHistoryOnDeletion="YES"/>
          <attribute name="code" attributeType="Integer 16" defaultValueString="7" minValueString="1" usesScalarValueType="YES"/>
          <attribute name="cost" attributeType="Decimal" defaultValueString="1.5"/>
          <attribute name="day" attributeType="Date" defaultDateTimeInterval="60" usesScalarValueType="NO"/>
          <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="ColorTransformer" customClassName="UIColor"/>
          <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="visits.@count"/>
          <attribute name="open" attributeType="Boolean" defaultValueString="YES" versionHashModifier="b"/>
          <attribute name="label" optional="YES" attributeType="String" elementID="name"/>
          <attribute name="cached" optional="YES" transient="YES"/>
          <relationship name="visits" optional="YES" toMany="YES" minCount="1" maxCount="9" deletionRule="Cascade" ordered="YES" destinationEntity="Visit" inverseName="place" inverseEntity="Visit"/>
          <fetchedProperty name="recent" optional="YES"><fetchRequest name="r" entity="Visit" predicateString="TRUEPREDICATE"/></fetchedProperty>
          <fetchIndex name="a"><fetchIndexElement property="label" type="Binary" order="ascending"/></fetchIndex>
          <fetchIndex name="b"><fetchIndexElement expression="label" type="Binary" order="ascending"/></fetchIndex>
          <uniquenessConstraints><uniquenessConstraint><constraint value="label"/><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Cafe" representedClassName="Cafe" parentEntity="Place" syncable="YES"/>
      <entity name="Visit" representedClassName=".Visit" syncable="YES">
          <relationship name="place" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Place" inverseName="visits" inverseEntity="Place"/>
      </entity>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Visit"/></configuration>
      <composite name="Area"><attribute name="width" attributeType="Double" defaultValueString="0.0"/></composite>
      <elements><element name="Cafe" positionX="0" positionY="0" width="1" height="1"/></elements>
      """)
    let (found, diagnostics) = read(text)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let model = try #require(found)
    let place = try #require(model.model.entitiesByName["Place"])
    #expect(place.isAbstract && place.hashModifier == "2")
    #expect(place.uniqueness == [["label", "code"]])
    #expect(place.indexes == [ManagedIndex(properties: ["label"])])
    let attributes = Dictionary(place.attributes.map { ($0.name, $0) }) { $1 }
    #expect(attributes["cached"] == nil)
    #expect(
      attributes["blob"]?.isExternal == true && attributes["blob"]?.isPreservedOnDeletion == true)
    #expect(
      attributes["code"]?.type == .integer16 && attributes["code"]?.defaultValue == .integer(7))
    #expect(attributes["cost"]?.defaultValue == .text("1.5"))
    #expect(attributes["day"]?.defaultValue == .real(60))
    #expect(attributes["open"]?.hashModifier == "b" && attributes["open"]?.isOptional == false)
    #expect(attributes["label"]?.originalName == "name")
    #expect(attributes["count"]?.derivation == "count:(visits)")
    #expect(attributes["area"]?.elements.map(\.name) == ["width"])
    let visits = try #require(place.relationships.first)
    #expect(
      visits.isOrdered && visits.isToMany && visits.minimumCount == 1 && visits.maximumCount == 9)
    #expect(visits.deleteRule == .cascade && visits.inverse == "place")
    #expect(model.model.entitiesByName["Cafe"]?.superentity == "Place")
    #expect(model.isUsedWithCloudKit && model.configurations.map(\.entities) == [["Visit"]])
    let traits = model.traits.map { "\($0.element) \($0.kind)" }
    #expect(
      traits == [
        "Place renamedEntity(from: \"Spot\")", "Place className(\"PlaceMO\")",
        "Place.code validation",
        "Place.color transformed(by: Optional(\"ColorTransformer\"), of: Optional(\"UIColor\"))",
        "Place.cached transient", "Place.recent fetchedProperty", "Place index",
      ])
    #expect(model.places[ElementPath("Place", "code")]?.line == 6)
    #expect(model.places[ElementPath("Place", "code")]?.column == 5)
  }

  @Test(
    "A derived attribute's expression is written as Core Data hashes it, or is unknown",
    arguments: [
      ("now()", "now()"), ("canonical:(title)", "canonical:(title)"),
      ("visits.@count", "count:(visits)"), ("visits.@sum.cost", ""), ("title + \"x\"", ""),
      ("", ""), ("now", ""), ("f:(a, b)", ""),
    ])
  func derivations(_ written: String, _ hashed: String) throws {
    let text = CoreDataSource.text(
      CoreDataSource.entity(
        "Trip", "",
        "<attribute name=\"d\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"\(written.replacing("\"", with: "&quot;"))\"/>"
      ))
    let model = try #require(read(text).model)
    let attribute = try #require(model.model.entities[0].attributes.first { $0.name == "d" })
    #expect(attribute.derivation == hashed)
    #expect((model.model.hashDoubts["Trip"] == nil) == !hashed.isEmpty)
  }

  /// Elements, a part of the message, and the line that it points at; elements begin in line 3.
  static let bad: [(elements: String, message: String, line: Int)] = [
    ("<entity representedClassName=\"A\"/>", "'entity' has no name", 3),
    (
      CoreDataSource.entity("A") + "\n" + CoreDataSource.entity("A"),
      "two entities are called 'A'", 7
    ),
    (CoreDataSource.entity("A", "parentEntity=\"B\""), "inherits from 'B', which", 3),
    (
      CoreDataSource.entity("A", "parentEntity=\"B\"") + "<entity name=\"B\" parentEntity=\"A\"/>",
      "'A' inherits from itself", 3
    ),
    (CoreDataSource.entity("A", "parentEntity=\"A\""), "'A' inherits from itself", 3),
    (CoreDataSource.entity("A", "wings=\"YES\""), "unknown attribute 'wings' of 'entity'", 3),
    (CoreDataSource.entity("A", "isAbstract=\"perhaps\""), "must be YES or NO", 3),
    (CoreDataSource.entity("A", "", "<wing/>"), "unknown element 'wing' in 'entity'", 5),
    ("<wing/>\n" + CoreDataSource.entity("A"), "unknown element 'wing' in 'model'", 3),
    (
      CoreDataSource.entity("A", "", "<attribute name=\"title\" attributeType=\"String\"/>"),
      "two properties called 'title'", 5
    ),
    (
      CoreDataSource.entity("A", "", "<attribute name=\"n\" attributeType=\"Integer 23\"/>"),
      "has the unknown type 'Integer 23'", 5
    ),
    (
      CoreDataSource.entity(
        "A", "", "<attribute name=\"n\" attributeType=\"Composite\" composite=\"C\"/>"),
      "uses a composite that the model does not have", 5
    ),
    (
      CoreDataSource.entity(
        "A", "", "<attribute name=\"n\" attributeType=\"Composite\" composite=\"C\"/>")
        + "\n<composite name=\"C\"><attribute name=\"m\" attributeType=\"Composite\" composite=\"C\"/></composite>",
      "is a composite that contains itself", 7
    ),
    (
      CoreDataSource.entity(
        "A", "", "<relationship name=\"r\" maxCount=\"1\" deletionRule=\"Nullify\"/>"),
      "'A.r' has no destination", 5
    ),
    (
      CoreDataSource.entity("A", "", "<relationship name=\"r\" destinationEntity=\"B\"/>"),
      "leads to 'B', which the model does not have", 5
    ),
    (
      CoreDataSource.entity(
        "A", "", "<relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Burn\"/>"),
      "'A.r' has the unknown delete rule 'Burn'", 5
    ),
    (
      CoreDataSource.entity(
        "A", "", "<relationship name=\"r\" toMany=\"YES\" minCount=\"-1\" destinationEntity=\"A\"/>"
      ),
      "must be a whole number, 0 or more", 5
    ),
    (
      CoreDataSource.entity(
        "A", "",
        "<relationship name=\"r\" toMany=\"YES\" minCount=\"3\" maxCount=\"2\" destinationEntity=\"A\"/>"
      ),
      "at least 3 rows, but to at most 2", 5
    ),
    ("", "the model has no entities", 0),
  ]

  @Test("Each kind of mistake in a Core Data model is reported at its place", arguments: bad)
  func mistakes(_ elements: String, _ message: String, _ line: Int) throws {
    let (model, diagnostics) = read(CoreDataSource.text(elements))
    #expect(model == nil)
    let finding = try #require(
      diagnostics.first { $0.message.contains(message) }, "\(diagnostics.map(\.message))")
    #expect(finding.rule == .coreDataModel && finding.severity == .error)
    if line > 0 { #expect(finding.location?.line == line) }
  }

  @Test("Several mistakes in a Core Data model are reported in one run")
  func all() {
    let (_, diagnostics) = read(
      CoreDataSource.text("<wing/>\n" + CoreDataSource.entity("A", "fins=\"2\"", "<tail/>")))
    #expect(diagnostics.map(\.location?.line) == [3, 4, 6])
  }

  @Test(
    "A file that is no Core Data model is reported with a place",
    arguments: [
      ("", "the file has no elements"), ("<model", "no '>'"), ("<model>", "too early"),
      ("<model></entity>", "does not match"),
      ("<plist/>", "'plist', but must be 'model'"),
      ("bplist00\u{0}", "Xcode abandoned"), ("<model a=1/>", "no quotes"),
      (String(repeating: "<model>", count: 5_000), "more elements than any model"),
      (
        "<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\"><!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\">]><model x=\"&g;\"/>",
        ""
      ),
    ])
  func noModel(_ text: String, _ message: String) throws {
    let (model, diagnostics) = read(text)
    #expect(model == nil)
    let finding = try #require(diagnostics.first)
    #expect(finding.message.contains(message), "\(finding.message)")
    #expect(finding.location?.file == "contents")
  }

  @Test(
    "A damaged Core Data model neither crashes the reader nor gets the hash of another model"
  )
  func mutations() throws {
    let text = CoreDataSource.text(
      CoreDataSource.entity(
        "A", "",
        "<relationship name=\"r\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\"/>"))
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      let file = SourceFile(path: "contents", bytes: Array(bytes[..<end]))
      let (model, diagnostics) = CoreDataModelReader.read(file, name: "A")
      #expect(model == nil && !diagnostics.isEmpty, "\(end)")
    }
    var random = SplitMix64(seed: 40)
    for _ in 0..<2_000 {
      var changed = bytes
      changed[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      let file = SourceFile(path: "contents", bytes: changed)
      let (model, diagnostics) = CoreDataModelReader.read(file, name: "A")
      #expect((model == nil) == !diagnostics.isEmpty)
    }
  }
}
