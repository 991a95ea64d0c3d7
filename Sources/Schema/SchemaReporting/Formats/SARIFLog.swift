/// The part of SARIF 2.1.0 that we write. Names are the standard's; nil is left out.
struct SARIFLog: Encodable {
  var schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  var version = "2.1.0"
  var runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    var tool: Tool
    var automationDetails: AutomationDetails
    var columnKind = "utf16CodeUnits"
    var results: [Result]
  }

  struct Tool: Encodable {
    var driver: Driver
  }

  struct Driver: Encodable {
    var name: String
    var semanticVersion: String?
    var rules: [Rule]
  }

  struct AutomationDetails: Encodable {
    var id: String
  }

  struct Rule: Encodable {
    var id: String
    var shortDescription: Text
    var fullDescription: Text
    var help: Text?
    var helpUri: String?
    var defaultConfiguration: Configuration
    var properties: Properties
  }

  struct Configuration: Encodable {
    var level: String
  }

  struct Properties: Encodable {
    var tags: [String]
    var basis: String?
    var basisMark: String
    var isFixable: Bool
  }

  struct Text: Encodable {
    var text: String
    var markdown: String?
  }

  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int?
    var level: String
    var message: Text
    var locations: [Location]
    var relatedLocations: [Location]?
    var partialFingerprints: [String: String]
    var suppressions: [Suppression]?
  }

  struct Location: Encodable {
    var message: Text?
    var physicalLocation: PhysicalLocation
    var logicalLocations: [LogicalLocation]?
  }

  struct PhysicalLocation: Encodable {
    var artifactLocation: ArtifactLocation
    var region: Region
  }

  struct ArtifactLocation: Encodable {
    var uri: String
  }

  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int?
    var endColumn: Int?
  }

  struct LogicalLocation: Encodable {
    var fullyQualifiedName: String
  }

  struct Suppression: Encodable {
    var kind: String
    var justification: String?
  }
}
