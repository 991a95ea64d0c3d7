import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// What follows from manifests: the first text is V1, the second V2, and so on.
func evolution(_ bodies: [String]) throws -> Evolution {
  let disk = MemoryDisk()
  for (index, body) in bodies.enumerated() {
    disk["S/V\(index + 1).yaml"] = "version: \(index + 1).0.0\n\(body)\n"
  }
  let folder = SchemaFolder.read("S", fileSystem: disk)
  return try #require(folder.evolution, "\(folder.diagnostics.map(\.message))")
}

extension ModelTrack {
  /// What each property was called, version by version; `-` where it was not there.
  var names: [String] {
    properties.map { property in
      property.forms.map { $0?.name ?? "-" }.joined(separator: " ")
    }
  }
}
