internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension moves the members that today's classes have in addition to stored properties.
extension Adoption {
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
        let found = AdoptedMembers(of: type, model, among: models, in: self, types)
      else { continue }
      members[type.fullName] = found
      let file = memberFile(of: model.name)
      // Observers have been reported already.
      for member in found.refused where !member.isObserved {
        report(refused: member, of: model.name, in: file)
      }
      let text = found.text(
        extending: configuration.names.active(model: model.name),
        imports: index.source(of: type).importLines)
      guard let text else { continue }
      memberFiles.append(SourceFile(path: file, text: text))
      report(
        .adoptedCode,
        "'\(type.name)' has more than stored properties: the rest is in '\(file)', word for word",
        element: type.name, at: type.place,
        help: ["remove it here with the class; the file is yours, and is never overwritten"])
    }
  }

  private mutating func report(refused member: DeclSyntax, of model: String, in file: String) {
    let name = member.memberKeys.sorted().first ?? "deinit"
    let (what, help) =
      member.is(InitializerDeclSyntax.self)
      ? (
        "is not the generated initialiser",
        "write it in '\(file)', as a 'convenience init' that calls 'self.init(…)'"
      )
      : member.is(DeinitializerDeclSyntax.self)
        ? ("cannot be in an extension", "remove it: a generated class cannot have a 'deinit'")
        : (
          "overrides a member, which an extension cannot do",
          "give it another name, or move its code into the superclass's member, which can check a property"
        )
    report(
      .notCarried, "'\(name)' of '\(model)' \(what)", element: model, at: index.place(of: member),
      help: [help], severity: .warning)
  }

  /// A file name that the app does not use yet: a module cannot have two files with the same name.
  private func memberFile(of model: String) -> String {
    let names = Set(index.sources.map(\.file.name))
    let usual = "\(model)+Members.swift"
    return names.contains(usual) ? "\(model)+AdoptedMembers.swift" : usual
  }
}

extension SwiftSource {
  fileprivate var importLines: [String] {
    syntax.statements.compactMap { statement in
      guard case .decl(let declaration) = statement.item, declaration.isImport else { return nil }
      return declaration.trimmedDescription
    }
  }
}

extension DeclSyntax {
  package var isImport: Bool {
    guard let config = self.as(IfConfigDeclSyntax.self) else {
      return self.is(ImportDeclSyntax.self)
    }
    return config.clauses.allSatisfy { clause in
      guard case .statements(let list)? = clause.elements else { return clause.elements == nil }
      return list.allSatisfy { $0.item.as(DeclSyntax.self)?.isImport ?? false }
    }
  }

  /// Keys that are equal for the same member in an extension: `init(id:name:)`, `func share(to:)`, `name`.
  package var memberKeys: Set<String> {
    func labels(_ clause: FunctionParameterClauseSyntax) -> String {
      "(\(clause.parameters.map { $0.firstName.plain + ":" }.joined()))"
    }
    if let initializer = self.as(InitializerDeclSyntax.self) {
      return ["init" + labels(initializer.signature.parameterClause)]
    }
    if let function = self.as(FunctionDeclSyntax.self) {
      return ["func " + function.name.plain + labels(function.signature.parameterClause)]
    }
    if let member = self.as(SubscriptDeclSyntax.self) {
      return ["subscript" + labels(member.parameterClause)]
    }
    return Set(declaredNames)
  }
}
