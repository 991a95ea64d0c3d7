/// Manifests of an app that never was: so many models with twenty properties each, which change a little with
/// every version.
struct SyntheticHistory {
  var models: Int
  var versions: Int
  var properties = 20

  /// The manifests, by version number from 1.
  func manifests() -> [String] { (1...versions).map(manifest) }

  private func manifest(_ version: Int) -> String {
    var text = "version: \(version).0.0\nsummary: Step \(version)\nmodels:\n"
    for model in 0..<models { text += self.model(model, version) }
    text += """
      types:
        Kind: { enum: String, cases: [first, second, third] }
        Place: { struct: { name: String, latitude: Double, longitude: Double } }

      """
    let dropped = (0..<models).filter { changes($0, version) && version % 3 == 0 }
    if !dropped.isEmpty {
      text += "drops:\n"
      for model in dropped { text += "  Model\(model).property1: no longer used\n" }
    }
    return text
  }

  /// One model in ten changes with a version, another ten with the next.
  private func changes(_ model: Int, _ version: Int) -> Bool {
    version > 1 && (model + version) % 10 == 0
  }

  private func model(_ model: Int, _ version: Int) -> String {
    var text =
      "  Model\(model):\n    doc: The model of number \(model).\n    entity: Entity\(model)\n"
    text += "    properties:\n      id: { type: UUID, unique: true }\n"
    let types = [
      "String = \"\"", "Int = 0", "Double?", "Date = Date.distantPast", "Bool = false", "Data?",
      "Kind?", "Place?", "String?",
    ]
    let lost = stride(from: 2, through: version, by: 1).contains {
      changes(model, $0) && $0 % 3 == 0
    }
    for index in (lost ? 2 : 1)..<(properties - 1) {
      text += "      property\(index): \(types[(index + model) % types.count])\n"
    }
    for step in stride(from: 2, through: version, by: 1) where changes(model, step) {
      if step % 3 == 1 {
        text += "      gained\(step): String = \"\"\n"
      } else if step % 3 == 2 {
        text += "      optional\(step): Int?\n"
      }
    }
    text += renamed(model, version)
    let next = (model + 1) % models
    text += "      parent: Model\(next)?\n".replacing(
      "Model\(next)?",
      with: "{ relationship: Model\(next)?, inverse: children, inEntity: identifiers }")
    text += "      children: { relationship: [Model\((model + models - 1) % models)] }\n"
    return text
  }

  /// One model in ten has a property that is renamed at version 5 and converted at version 9.
  private func renamed(_ model: Int, _ version: Int) -> String {
    guard model % 10 == 0 else { return "      last: Int?\n" }
    switch version {
    case ..<5: return "      title: String = \"\"\n"
    case 5: return "      name: { type: String, default: '\"\"', renamedFrom: title }\n"
    case 6..<9: return "      name: String = \"\"\n"
    case 9:
      return
        "      length: { type: Int, default: 0, from: name, convert: $0.count, revert: String($0) }\n"
    default: return "      length: Int = 0\n"
    }
  }
}
