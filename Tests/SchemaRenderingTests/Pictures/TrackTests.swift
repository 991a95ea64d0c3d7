import SchemaEvolution
import SchemaModel
import TestSupport
import Testing

@Suite struct TrackTests {
  @Test("A renamed property continues its track; a later property with its old name starts another")
  func renamed() throws {
    let tracks = try evolution([
      "models: { A: { properties: { id: Int, a: String? } } }",
      "models: { A: { properties: { id: Int, b: { type: String?, renamedFrom: a } } } }",
      "models: { A: { properties: { id: Int, b: String?, a: String? } } }",
    ]).tracks
    #expect(tracks.map(\.names) == [["id id id", "a b b", "- - a"]])
  }

  @Test(
    "A split property's track continues in the first part, and a merge continues its first source")
  func converted() throws {
    let tracks = try evolution([
      "models: { A: { properties: { id: Int, a: String, b: String, c: String } } }",
      """
      models:
        A:
          properties:
            id: Int
            x: { type: String, from: a, convert: $0 }
            y: { type: String, from: a, convert: $0 }
            z: { type: String, from: [b, c], convert: $0 + $1 }
      """,
    ]).tracks
    #expect(tracks.map(\.names) == [["id id", "a x", "b z", "c -", "- y"]])
  }

  @Test("A renamed model continues its track; a model made from another starts a new one")
  func models() throws {
    let tracks = try evolution([
      "models: { A: { properties: { id: Int } } }",
      "models: { B: { renamedFrom: A, properties: { id: Int } } }",
      "models: { B: { properties: { id: Int } }, C: { from: B, properties: { id: Int } } }",
    ]).tracks
    #expect(
      tracks.map { $0.forms.map { $0?.name ?? "-" } } == [["A", "B", "B"], ["-", "-", "C"]])
  }

  @Test("Every model and property of every version is in exactly one track", arguments: 0..<60)
  func complete(seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    let tracks = AnalysisPipeline(history: history, configuration: .init()).run().tracks
    for (index, version) in history.enumerated() {
      let forms = tracks.filter { $0.forms[index] != nil }
      #expect(
        forms.compactMap { $0.forms[index]?.name }.sorted() == version.models.map(\.name).sorted())
      for track in forms {
        let names = track.properties.compactMap { $0.forms[index]?.name }
        #expect(names.sorted() == track.forms[index]?.properties.map(\.name).sorted())
      }
    }
    // A track that has ended does not return.
    for track in tracks {
      for forms in [track.forms.map { $0 != nil }]
        + track.properties.map({ $0.forms.map { $0 != nil } })
      {
        let first = try #require(forms.firstIndex(of: true))
        let last = try #require(forms.lastIndex(of: true))
        #expect(forms[first...last].allSatisfy { $0 })
      }
    }
  }
}
