/// An app's classes as their author means them. Every model, property, field and case keeps its number when it is
/// renamed.
struct LifeApp: Equatable {
  struct Link: Equatable {
    var model: Int
    var isMany = false
    var inverse: Int
    var deleteRule = ".nullify"
  }

  struct Property: Equatable, Identifiable {
    var id: Int
    var name: String
    /// Empty for a relationship.
    var type = ""
    var link: Link?
    var isOptional = false
    var value: String?
    var originalName: String?
    var hashModifier: String?
    var isUnique = false
    var isTransient = false
    var documentation: [String] = []
    /// Comments that answer questions. They stay where they are.
    var comments: [String] = []
  }

  /// Properties whose values are unique together.
  struct Constraint: Equatable, Identifiable {
    var id: Int
    var properties: [Int]
    var comments: [String] = []
  }

  struct Model: Equatable, Identifiable {
    var id: Int
    var name: String
    var properties: [Property] = []
    var uniques: [Constraint] = []
    /// The number of the property with an index.
    var indexed: Int?
    var documentation: [String] = []
    var comments: [String] = []
    /// Code that does not affect the store.
    var extras: [String] = []
    var file = "App/Models.swift"

    var stored: [Property] { properties.filter { !$0.isTransient } }
  }

  /// A case of an enum, or a field of a struct.
  struct Part: Equatable, Identifiable {
    var id: Int
    var name: String
    /// The raw value of a case, the type of a field.
    var raw: String
    var comments: [String] = []
  }

  struct ValueType: Equatable, Identifiable {
    var id: Int
    var name: String
    /// Nil for a struct.
    var rawType: String?
    var parts: [Part]
    var comments: [String] = []
  }

  /// How the files are written, which does not affect the store.
  struct Style: Equatable {
    var indent = "  "
    var newline = "\n"
    /// Whether macros are on lines of their own.
    var isSplit = false
  }

  var models: [Model] = []
  var types: [ValueType] = []
  /// Comments that belong to no declaration.
  var comments: [String] = []
  var style = Style()

  // MARK: Looking up

  func property(_ id: Int) -> Property? {
    models.lazy.flatMap(\.properties).first { $0.id == id }
  }

  func model(_ id: Int) -> Model? { models.first { $0.id == id } }

  /// How Swift says a property's type.
  func type(of property: Property) -> String {
    guard let link = property.link else { return property.type + (property.isOptional ? "?" : "") }
    let name = model(link.model)?.name ?? "?"
    return link.isMany ? "[\(name)]" : "\(name)?"
  }

  func names(_ constraint: Constraint) -> [String] {
    constraint.properties.compactMap { property($0)?.name }
  }

  /// Everything that affects the store or a step.
  var stored: Set<String> {
    var parts: Set<String> = []
    for model in models {
      parts.insert("\(model.id) \(model.name)")
      for one in model.stored {
        parts.insert(
          "\(model.id) \(one.id) \(one.name) \(type(of: one)) \(one.isUnique) \(one.link?.inverse ?? 0)"
        )
      }
      for one in model.uniques { parts.insert("\(model.id) \(names(one))") }
    }
    for type in types where isStored(type) {
      for part in type.parts {
        parts.insert(
          type.rawType == nil
            ? "\(type.id) \(part.id) \(part.name) \(part.raw)"
            : "\(type.id) \(part.id) \(part.raw)")
      }
    }
    return parts
  }

  /// Whether a model stores values of a type.
  func isStored(_ type: ValueType) -> Bool {
    models.contains { $0.stored.contains { $0.type == type.name } }
      || types.contains { other in
        other.parts.contains { $0.raw.hasPrefix(type.name) } && isStored(other)
      }
  }

  // MARK: Text

  /// The files, by path.
  var files: [(path: String, text: String)] {
    let paths = Set(models.map(\.file)).union(["App/Models.swift"]).sorted()
    return paths.map { path in
      var parts = ["import Foundation\nimport SwiftData"]
      if path == "App/Models.swift" { parts += comments.map { "// \($0)" } + types.map(text) }
      parts += models.filter { $0.file == path }.map(text)
      let text = parts.joined(separator: "\n\n") + "\n"
      return (
        path, text.replacing("  ", with: style.indent).replacing("\n", with: style.newline)
      )
    }
  }

  private func text(_ model: Model) -> String {
    var lines = model.documentation.map { "/// \($0)" } + model.comments.map { "// \($0)" }
    lines += ["@Model", "final class \(model.name) {"]
    for one in model.uniques {
      let keys = names(one).map { "\\.\($0)" }.joined(separator: ", ")
      lines += one.comments.map { "  // \($0)" } + ["  #Unique<\(model.name)>([\(keys)])"]
    }
    if let name = model.indexed.flatMap(property)?.name {
      lines.append("  #Index<\(model.name)>([\\.\(name)])")
    }
    lines += model.properties.map(text) + model.extras.map { "  \($0)" }
    return (lines + ["  init() { fatalError() }", "}"]).joined(separator: "\n")
  }

  private func text(_ one: Property) -> String {
    var lines = one.documentation.map { $0.isEmpty ? "  ///" : "  /// \($0)" }
    lines += one.comments.map { "  // \($0)" }
    var arguments = one.isUnique ? [".unique"] : []
    if let name = one.originalName { arguments.append("originalName: \"\(name)\"") }
    if let link = one.link, link.isMany {
      let end = "\(model(link.model)?.name ?? "?").\(property(link.inverse)?.name ?? "?")"
      arguments += ["deleteRule: \(link.deleteRule)", "inverse: \\\(end)"]
    }
    if let modifier = one.hashModifier { arguments.append("hashModifier: \"\(modifier)\"") }
    let name = one.link == nil ? "Attribute" : "Relationship"
    let macro =
      one.isTransient
      ? "@Transient" : arguments.isEmpty ? "" : "@\(name)(\(arguments.joined(separator: ", ")))"
    let value = one.link?.isMany == true ? " = []" : one.value.map { " = \($0)" } ?? ""
    let space = macro.isEmpty ? "" : style.isSplit ? "\n  " : " "
    lines.append("  \(macro)\(space)var \(one.name): \(type(of: one))\(value)")
    return lines.joined(separator: "\n")
  }

  private func text(_ type: ValueType) -> String {
    let isEnum = type.rawType != nil
    let head =
      isEnum
      ? "enum \(type.name): \(type.rawType ?? ""), Codable {" : "struct \(type.name): Codable {"
    let rows = type.parts.flatMap { part in
      let raw = type.rawType == "String" ? "\"\(part.raw)\"" : part.raw
      return part.comments.map { "  // \($0)" } + [
        isEnum
          ? "  case \(part.name)" + (part.raw == part.name ? "" : " = \(raw)")
          : "  var \(part.name): \(part.raw)"
      ]
    }
    return (type.comments.map { "// \($0)" } + [head] + rows + ["}"]).joined(separator: "\n")
  }
}

// MARK: - Branches

extension LifeApp {
  /// The resolution of all conflicts, with the changes of both branches.
  static func merged(_ base: LifeApp, _ ours: LifeApp, _ theirs: LifeApp) -> LifeApp {
    var app = ours
    app.style = pick(base, ours, theirs, \.style)
    app.comments = union(ours.comments, theirs.comments)
    app.types = join(base.types, ours.types, theirs.types) { base, ours, theirs in
      var type = ours
      type.parts = join(base.parts, ours.parts, theirs.parts) { base, ours, theirs in
        var part = ours
        part.name = pick(base, ours, theirs, \.name)
        part.raw = pick(base, ours, theirs, \.raw)
        part.comments = union(ours.comments, theirs.comments)
        return part
      }
      type.comments = union(ours.comments, theirs.comments)
      return type
    }
    app.models = join(base.models, ours.models, theirs.models) { base, ours, theirs in
      var model = ours
      model.name = pick(base, ours, theirs, \.name)
      model.file = pick(base, ours, theirs, \.file)
      model.indexed = pick(base, ours, theirs, \.indexed)
      model.documentation = pick(base, ours, theirs, \.documentation)
      model.extras = union(ours.extras, theirs.extras)
      model.comments = union(ours.comments, theirs.comments)
      model.uniques = join(base.uniques, ours.uniques, theirs.uniques) { $1 == $0 ? $2 : $1 }
      model.properties = join(base.properties, ours.properties, theirs.properties) {
        base, ours, theirs in
        var one = ours
        one.name = pick(base, ours, theirs, \.name)
        one.type = pick(base, ours, theirs, \.type)
        one.isOptional = pick(base, ours, theirs, \.isOptional)
        one.value = pick(base, ours, theirs, \.value)
        one.link = pick(base, ours, theirs, \.link)
        one.originalName = pick(base, ours, theirs, \.originalName)
        one.hashModifier = pick(base, ours, theirs, \.hashModifier)
        one.isUnique = pick(base, ours, theirs, \.isUnique)
        one.documentation = pick(base, ours, theirs, \.documentation)
        one.comments = union(ours.comments, theirs.comments)
        return one
      }
      return model
    }
    // Relationships that lead nowhere are removed in the resolution.
    let ids = app.models.map(\.id)
    for model in app.models.indices {
      app.models[model].properties.removeAll { one in
        one.link.map { !ids.contains($0.model) } ?? false
      }
      let properties = app.models[model].properties.map(\.id)
      app.models[model].uniques.removeAll { !Set(properties).isSuperset(of: $0.properties) }
    }
    return app
  }

  private static func pick<Whole, Value: Equatable>(
    _ base: Whole, _ ours: Whole, _ theirs: Whole, _ path: KeyPath<Whole, Value>
  ) -> Value {
    ours[keyPath: path] == base[keyPath: path] ? theirs[keyPath: path] : ours[keyPath: path]
  }

  private static func union(_ ours: [String], _ theirs: [String]) -> [String] {
    ours + theirs.filter { !ours.contains($0) }
  }

  private static func join<Item: Identifiable>(
    _ base: [Item], _ ours: [Item], _ theirs: [Item], _ each: (Item, Item, Item) -> Item
  ) -> [Item] {
    func find(_ id: Item.ID, in items: [Item]) -> Item? { items.first { $0.id == id } }
    return ours.compactMap { one in
      guard let was = find(one.id, in: base) else { return one }
      return find(one.id, in: theirs).map { each(was, one, $0) }
    } + theirs.filter { find($0.id, in: base) == nil }
  }
}
