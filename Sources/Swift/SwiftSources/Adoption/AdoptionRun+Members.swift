internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

// What today's classes have besides their stored properties.
extension AdoptionRun {
  mutating func adoptMembers() {
    guard let newest = history.last, let classes = classes.last, let version = versions.last else {
      return
    }
    let models = Dictionary(newest.models, keyedBy: \.name)
    let names = Dictionary(classes.map { ($0.fullName, $0.name) }) { $1 }
    let types = TypeResolver(
      index, ModelScope(version: version.type.path, names: names, foreign: options.models),
      valueTypes)
    for type in classes where !type.isGenerated {
      let type = live[type.name] ?? type
      guard let model = models[type.name],
        var translation = MemberTranslation(self, type, model, among: models, types)
      else { continue }
      let text = translation.text()
      findings += translation.findings
      guard let text else { continue }
      let file = memberFile(of: model.name)
      members.append(SourceFile(path: file, text: text))
      report(
        .adoptedCode, "'\(type.name)' has more than stored properties: the rest is in '\(file)'",
        element: type.name, at: type.place,
        help: ["remove it here with the class; the file is yours, and is never overwritten"])
    }
  }

  /// A file of that name that the app does not have: a module has no two.
  func memberFile(of model: String) -> String {
    let names = Set(index.sources.map(\.file.name))
    let usual = "\(model)+Members.swift"
    return names.contains(usual) ? "\(model)+AdoptedMembers.swift" : usual
  }

  /// What a type is called once everything is generated; nil where its name stays, or where it has none.
  ///
  /// - Parameter names: Those of value types, which it may add to.
  func newName(of type: DeclaredType, _ names: inout ValueTypeNames) -> String? {
    func schema(_ position: Int) -> String { configuration.names.schema(numbers[position]) }
    let version = merged[type.fullName] ?? type.fullName
    if let position = versions.firstIndex(where: { $0.name == version }) { return schema(position) }
    if type.isModel, live[type.name]?.fullName == type.fullName {
      return configuration.names.active(model: type.name)
    }
    if type.isModel, liveCopies.contains(type.fullName) {
      return "\(schema(classes.count - 1)).\(type.name)"
    }
    if type.isModel {
      let owner = classes.lastIndex { $0.contains { $0.fullName == type.fullName } }
      return owner.map {
        $0 == classes.count - 1
          ? configuration.names.active(model: type.name) : "\(schema($0)).\(type.name)"
      }
    }
    guard names.isHoisted(type) else { return nil }
    let name = names.name(of: type)
    return history.last?.type(named: name) == nil ? nil : name
  }
}
