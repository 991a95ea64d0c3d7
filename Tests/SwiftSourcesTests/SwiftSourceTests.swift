import SchemaModel
import SwiftSources
import SwiftSyntax
import Testing

@Suite struct SwiftSourceTests {
  @Test func placesCountScalars() throws {
    let source = SwiftSource(SourceFile(path: "A.swift", text: "// é\nlet é = 1\nlet b = \"\"\"\n"))
    let statements = Array(source.syntax.statements)
    #expect(
      source.location(of: statements[0])
        == Place(
          file: "A.swift", line: 2, length: 9))
  }
}
