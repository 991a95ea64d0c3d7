internal import SchemaManifest
internal import SchemaModel

/// The key or value at a place of a manifest.
struct ManifestPlace {
  /// The keys that lead to the place: `models`, `Trip`, `properties`, `name`. Lists add no keys.
  var path: [String]
  /// Whether the place is a key of the mapping at the path. If not, it is the value of the path's last key, or inside
  /// that value.
  var isKey: Bool
  var text: String
  /// The place's range in UTF-16 units.
  var range: Range<Int>

  var owner: String { path.count > 1 ? path[1] : "" }

  /// The model, the property or the type that a key names.
  var element: ElementPath? {
    guard isKey else { return nil }
    switch path.first {
    case "models" where path.count == 1, "types" where path.count == 1: return ElementPath(text)
    case "drops" where path.count == 1: return ElementPath(parsing: text)
    case "models" where path.count == 3 && path[2] == "properties":
      return ElementPath(owner, text)
    default: return nil
    }
  }

  /// Returns nil in spaces, in comments, and if the YAML cannot be read.
  init?(at offset: Int, in document: DocumentText) {
    guard
      let found = Self.first(
        in: document,
        where: { _, range in
          range.lowerBound <= offset && offset <= range.upperBound && !range.isEmpty
        })
    else { return nil }
    self = found
  }

  /// The place where the user is typing, with the range of the typed word. Nil in comments.
  ///
  /// An unfinished line may not be valid YAML. So the typed word is replaced by a word that occurs nowhere else,
  /// followed by each possible ending of the line until the YAML is valid.
  init?(writtenAt offset: Int, in document: DocumentText) {
    func isPart(_ unit: UInt16) -> Bool {
      guard let scalar = Unicode.Scalar(unit) else { return false }
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || ["_", ".", "-"].contains(scalar)
    }
    let units = document.units
    let start = units[..<offset].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    let end = units[offset...].firstIndex { !isPart($0) } ?? units.count
    let word = "schemagen\u{F8FF}"
    for ending in ["", ": ~", "}", "]", "]}", "}}", "}]", "]}]", ": ~}", "\"", "\"}"] {
      let written = DocumentText(document.replacing(start..<end, with: word + ending))
      guard var place = Self.first(in: written, where: { text, _ in text.contains(word) }) else {
        continue
      }
      place.range = start..<end
      place.text = String(decoding: units[start..<end], as: UTF16.self)
      self = place
      return
    }
    return nil
  }

  private init(path: [String], isKey: Bool, text: String, range: Range<Int>) {
    self.path = path
    self.isKey = isKey
    self.text = text
    self.range = range
  }

  private static func first(
    in document: DocumentText, where isWanted: @escaping (String, Range<Int>) -> Bool
  ) -> ManifestPlace? {
    func find(_ node: YAMLNode, _ path: [String]) -> ManifestPlace? {
      func place(_ text: String, _ location: SourceLocation, isKey: Bool) -> ManifestPlace? {
        let range = document.range(of: location)
        guard isWanted(text, range) else { return nil }
        return ManifestPlace(path: path, isKey: isKey, text: text, range: range)
      }
      switch node.content {
      case .scalar(let scalar): return place(scalar.text, node.location, isKey: false)
      case .sequence(let items): return items.lazy.compactMap { find($0, path) }.first
      case .mapping(let entries):
        return entries.lazy.compactMap { entry in
          place(entry.key, entry.keyLocation, isKey: true) ?? find(entry.value, path + [entry.key])
        }.first
      }
    }
    let root = YAMLReader.read(SourceFile(path: "", text: document.text)).root
    return root.flatMap { find($0, []) }
  }
}
