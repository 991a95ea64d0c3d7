import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The evolution of manifests: the first text is V1, the second V2, and so on.
func evolution(_ bodies: [String]) throws -> Evolution {
  let disk = MemoryDisk()
  for (index, body) in bodies.enumerated() {
    disk["S/V\(index + 1).yaml"] = "version: \(index + 1).0.0\n\(body)\n"
  }
  let folder = SchemaFolder.read("S", fileSystem: disk)
  return try #require(folder.evolution, "\(folder.diagnostics.map(\.message))")
}

extension ModelTrack {
  /// The name of each property in each version; `-` if it was missing.
  var names: [String] {
    properties.map { property in
      property.forms.map { $0?.name ?? "-" }.joined(separator: " ")
    }
  }
}
