import SchemaModel

/// The same history as protocol buffers: a message for each model, a field for each property, numbers that stay.
///
/// For comparison with tools that guard those, such as buf.
struct ProtobufHistory {
  private let versions: [SchemaVersion]
  /// By model and property: a name that was given a number keeps it.
  private let numbers: [String: [String: Int]]

  init(_ versions: [SchemaVersion]) {
    self.versions = versions
    var numbers: [String: [String: Int]] = [:]
    for version in versions {
      for model in version.models {
        for property in model.properties {
          let next = numbers[model.name, default: [:]].count + 1
          if numbers[model.name]?[property.name] == nil {
            numbers[model.name, default: [:]][property.name] = next
          }
        }
      }
    }
    self.numbers = numbers
  }

  /// One file for each version.
  func files() -> [String] { versions.map(file) }

  private func file(_ version: SchemaVersion) -> String {
    var text = """
      syntax = "proto3";

      package synthetic.v1;

      import "google/protobuf/timestamp.proto";

      enum Kind {
        KIND_UNSPECIFIED = 0;
        KIND_FIRST = 1;
        KIND_SECOND = 2;
        KIND_THIRD = 3;
      }

      message Place {
        string name = 1;
        double latitude = 2;
        double longitude = 3;
      }

      """
    for model in version.models {
      text += "\nmessage \(model.name) {\n"
      for property in model.properties {
        let number = numbers[model.name]?[property.name] ?? 0
        text += "  \(Self.type(of: property)) \(property.name) = \(number);\n"
      }
      text += "}\n"
    }
    return text
  }

  private static func type(of property: Property) -> String {
    let label: String
    switch property.type {
    case .optional: label = "optional "
    case .array: label = "repeated "
    default: label = ""
    }
    switch property.type.names.first {
    case "String": return label + "string"
    case "UUID", "Data": return label + "bytes"
    case "Int": return label + "int64"
    case "Double": return label + "double"
    case "Bool": return label + "bool"
    case "Date": return label + "google.protobuf.Timestamp"
    case let name?: return label + name
    case nil: return label + "bytes"
    }
  }
}
