internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

/// Reads a `@Model` class as a manifest's model.
struct ModelReader {
  let index: SourceIndex
  let models: ModelScope
  var types: TypeResolver
  private(set) var findings: [Diagnostic] = []
  /// Comments that are not documentation, by the elements next to them.
  private(set) var remarks: [ElementPath: [String]] = [:]
  private(set) var unread: [ElementPath: [String]] = [:]
  private let type: DeclaredType
  private let name: String
  private let file: SwiftSource
  /// Whether the class stays in the app, so no generated class replaces it.
  private let isKept: Bool
  private let platforms: [Configuration.Platform: Int]

  init(
    _ type: DeclaredType, _ name: String, _ index: SourceIndex, _ types: TypeResolver,
    isKept: Bool = false, platforms: [Configuration.Platform: Int] = [:]
  ) {
    self.type = type
    self.isKept = isKept
    self.platforms = platforms
    self.name = name
    self.index = index
    self.types = types
    models = types.models
    file = index.source(of: type)
  }

  mutating func read() -> Model {
    var model = Model(
      name: name, documentation: type.documentation, location: type.place)
    readInheritance(&model)
    if isKept { checkAvailability() }
    noteRemarks()
    for member in type.members {
      if let variable = member.as(VariableDeclSyntax.self) {
        let properties = read(variable)
        model.properties += properties
        if let first = properties.first {
          let body = variable.bindings.first?.accessorBlock
          note(Remarks.lines(of: variable, without: body), ElementPath(name, first.name))
        }
      } else if let macro = member.as(MacroExpansionDeclSyntax.self) {
        read(macro, &model)
        let key = macro.macroName.plain.lowercased()
        note(Remarks.lines(of: macro).map { "\(key): \($0)" }, ElementPath(name))
      }
    }
    readInitializer(&model)
    return model
  }

  // MARK: The class

  private mutating func noteRemarks() {
    guard let node = type.attributes.parent?.as(ClassDeclSyntax.self) else { return }
    note(Remarks.lines(ofHead: node), ElementPath(name))
  }

  private mutating func note(_ remarks: [String], _ element: ElementPath) {
    if !remarks.isEmpty { self.remarks[element, default: []] += remarks }
  }

  /// Reports a class that some of the app's systems lack, because generated code names the class on every system.
  private mutating func checkAvailability() {
    let available = type.availability.filter { platform, version in
      version > (platforms.isEmpty ? platform.lowest : platforms[platform] ?? version)
    }
    guard let (platform, version) = available.min(by: { $0.key < $1.key }) else { return }
    let oldest = platforms[platform].map { "the app runs on \(platform.rawValue) \($0)" }
    findings.append(
      Diagnostic(
        .newerSystem,
        "'\(name)' is available from \(platform.rawValue) \(version), and \(oldest ?? "schemagen.yaml does not say that the app runs on no older system"): generated code names it on every system, and does not compile for an older one",
        element: ElementPath(name), at: type.place,
        help: [
          "if the app runs on no older system, raise its deployment target, remove '@available', and write 'platforms: \(platforms.merging(available) { $1 }.written)' in schemagen.yaml",
          "otherwise store its rows in a class that every system has: with two lists of models, a store from one system does not open on another (error 134504)",
        ], severity: .warning))
  }

  private mutating func readInheritance(_ model: inout Model) {
    for parent in type.inheritedTypes {
      guard let found = index.type(named: parent, in: Array(type.path.dropLast())) else {
        // The superclass may be in a file that was not read yet.
        if let name = parent.last, !type.isGenerated { types.missing.insert(name) }
        continue
      }
      guard found.isModel else {
        // Creating a container crashes (docs/facts/identity.md#entities-are-sorted).
        if found.kind == .class {
          report(
            .cannotAdopt,
            "'\(name)' inherits from '\(found.fullName)', which is not a model: the app crashes when it creates its container",
            at: type.place)
        }
        continue
      }
      let name = types.name(of: found)
      model.superclass = Located(name, at: type.place)
    }
    if type.isGeneric {
      report(.cannotAdopt, "'\(name)' is generic, but a model cannot be generic", at: type.place)
    }
    if type.isConditional {
      findings.append(
        .buildCondition(
          "parts of '\(name)'", element: name, at: type.place, unknown: type.unknownConditions))
    }
  }

  /// Copies the default values of an initialiser that the generated one can replace.
  ///
  /// An initialiser that takes all properties also decides the properties' order, since calls would be ambiguous if the
  /// generated one had another order.
  private mutating func readInitializer(_ model: inout Model) {
    let own = Set(model.properties.filter { !$0.isTransient }.map(\.name))
    let written = type.members.compactMap { $0.as(InitializerDeclSyntax.self) }
      .map(WrittenInitializer.init).filter { !$0.isConvenience }
    if let whole = written.first(where: { own.isSubset(of: $0.labels) && sets(model, $0) }) {
      model.arrangeProperties(whole.labels)
    }
    let fitting = written.filter { initializer in
      let others = converted(model, initializer)
      return sets(model, initializer, besides: others)
        && model.generatedInitializerTakes(initializer.labels.filter(own.contains))
        && (initializer.isPlain(besides: others) || initializer.labels.count == own.count)
    }
    let most = fitting.map(\.parameters.count).max()
    guard let fullest = fitting.first(where: { $0.parameters.count == most }) else { return }
    let others = converted(model, fullest)
    for parameter in fullest.parameters where !others.contains(parameter.label) {
      guard let value = parameter.defaultValue, own.contains(parameter.label),
        let place = model.properties.firstIndex(where: { $0.name == parameter.label }),
        let expression = try? types.expression(
          value, of: model.properties[place].type, in: type.path),
        expression != model.properties[place].initializerValue
      else { continue }
      model.properties[place].initializerDefault = expression
    }
  }

  /// Whether each of the model's own properties gets its value unchanged from a parameter of the same name and type, or
  /// has a default. If the parameters are exactly the properties, it does not matter how the initialiser uses them,
  /// since no second initialiser can have the same parameters.
  private func sets(
    _ model: Model, _ initializer: WrittenInitializer, besides others: Set<String> = []
  ) -> Bool {
    let own = model.properties.filter { !$0.isTransient }
    let plain =
      Set(initializer.labels) == Set(own.map(\.name))
      ? Set(initializer.labels) : initializer.plainAssignments
    return own.allSatisfy { property in
      guard let parameter = initializer.parameters.first(where: { $0.label == property.name })
      else { return property.initialValue != nil }
      return others.contains(property.name)
        || plain.contains(property.name) && takes(parameter, property)
    }
  }

  /// The properties of a kept class for which the initialiser has a parameter of another type. The defaults of the
  /// other properties are copied all the same.
  private func converted(_ model: Model, _ initializer: WrittenInitializer) -> Set<String> {
    guard isKept else { return [] }
    let own = model.properties.filter { property in
      !property.isTransient
        && initializer.parameters.contains { $0.label == property.name && !takes($0, property) }
    }
    return Set(own.map(\.name))
  }

  private func takes(_ parameter: WrittenInitializer.Parameter, _ property: Property) -> Bool {
    var types = types
    return (try? types.type(parameter.type, in: type.path)) == property.type
  }

  // MARK: Properties

  private mutating func read(_ variable: VariableDeclSyntax) -> [Property] {
    guard !variable.modifiers.isStatic else { return [] }
    return variable.typedBindings.compactMap { binding, type in
      binding.isComputed ? nil : read(binding, type, variable)
    }
  }

  private mutating func read(
    _ binding: PatternBindingSyntax, _ annotation: TypeSyntax?, _ variable: VariableDeclSyntax
  ) -> Property? {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      report(
        .cannotAdopt, "'\(binding.pattern.trimmedDescription)' declares several properties at once",
        at: file.location(of: binding.pattern), help: ["declare each separately"])
      return nil
    }
    let name = pattern.identifier.plain
    let place = file.location(of: pattern)
    let element = ElementPath(self.name, name)
    // A transient property is no relationship, whatever its type.
    let isTransient = variable.attributes.attribute("Transient") != nil
    if variable.modifiers.has(.lazy) {
      if isTransient {
        reportLeftOut("'\(element)' is lazy, which a manifest cannot express", element, place)
      } else {
        report(
          .unreadProperty, "'\(element)' is lazy, which SwiftData does not store", element: element,
          at: place, help: ["make it '@Transient', or compute it"])
      }
      return isTransient ? nil : draft(element, variable, place)
    }
    types.isStored = !isTransient
    defer { types.isStored = true }
    guard let found = type(of: binding, annotation, element, place, isTransient) else {
      return isTransient ? nil : draft(element, variable, place)
    }
    let known = findings.count
    noteModifiers(variable, binding, element, place)
    var property = Property(name: name, kind: .attribute(Attribute(type: found)), location: place)
    property.documentation = Documentation.text(before: variable)
    property.isTransient = isTransient
    if !isTransient, let destination = destination(found) {
      property.kind = .relationship(
        relationship(to: destination, found, variable, binding, &property, place))
    } else {
      property.kind = .attribute(
        attribute(found, variable, binding, &property, element, place))
    }
    if isTransient, let attribute = property.attribute {
      // `@Attribute` has no effect on a property that is not stored.
      property.kind = .attribute(
        Attribute(type: attribute.type, defaultValue: attribute.defaultValue))
      property.hashModifier = nil
      property.originalName = nil
    }
    noteAttributes(variable, element)
    let isUnread = findings[known...].contains { $0.rule == .unreadProperty }
    return isUnread ? draft(element, variable, place) : property
  }

  /// The property as a draft. `generate` refuses a draft until the manifest says how the property is stored.
  private mutating func draft(
    _ element: ElementPath, _ variable: VariableDeclSyntax, _ place: Place
  ) -> Property {
    unread[element] = ["the class says: \(variable.oneLine)"]
    return Property(
      name: element.member ?? "", kind: .attribute(Attribute(type: .unread)), location: place)
  }

  private func destination(_ type: TypeReference) -> String? {
    var inner = type.unwrapped
    if case .array(let element) = inner { inner = element }
    guard case .named(let name, arguments: []) = inner else { return nil }
    let isModel =
      models.isModel(name) || types.unlisted.contains { $0.name == name }
    return isModel ? name : nil
  }

  private mutating func type(
    of binding: PatternBindingSyntax, _ annotation: TypeSyntax?, _ element: ElementPath,
    _ place: Place, _ isTransient: Bool
  ) -> TypeReference? {
    let used = types.used
    do throws(TypeResolver.Failure) {
      if let annotation { return try types.type(annotation, in: type.path) }
      let value = binding.initializer?.value
      let reader = DefaultType(index: index, scope: type.path)
      if let value, let found = reader.type(of: value) {
        return try types.type(found, in: type.path)
      }
      if let value { types.missing.formUnion(index.unknownNames(in: value, type.path)) }
      if isTransient {
        reportLeftOut("the type of '\(element)' cannot be read from its default", element, place)
        return nil
      }
      report(
        .unreadProperty, "the type of '\(element)' cannot be read from its default",
        element: element,
        at: place,
        help: ["write it: var \(element.member ?? ""): … = \(value?.oneLine ?? "…")"])
    } catch {
      // A property that is left out uses no types.
      types.used = used
      if isTransient {
        reportLeftOut("'\(element)': \(error.reason)", element, place)
      } else {
        report(.unreadProperty, "'\(element)': \(error.reason)", element: element, at: place)
      }
    }
    return nil
  }

  private mutating func reportLeftOut(_ reason: String, _ element: ElementPath, _ place: Place) {
    report(
      .notCarried, "\(reason); the '@Transient' property is left out", element: element, at: place,
      help: [
        "if the app needs it in the generated class: give its type a name with 'typealias', and add it to the manifest with 'transient: true'"
      ])
  }

  private mutating func noteModifiers(
    _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ element: ElementPath,
    _ place: Place
  ) {
    guard !type.isGenerated else { return }
    var notes: [String] = []
    if variable.bindingSpecifier.tokenKind == .keyword(.let) { notes.append("'let' becomes 'var'") }
    for modifier in variable.modifiers {
      let isAccess = ["private", "fileprivate"].contains(modifier.name.text)
      if isAccess || modifier.detail != nil || ["weak", "unowned"].contains(modifier.name.text) {
        notes.append("'\(modifier.trimmedDescription)' is not kept")
      }
    }
    if binding.typeAnnotation?.type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) ?? false {
      notes.append("'\(binding.typeAnnotation!.type.trimmedDescription)' becomes an optional")
    }
    if !notes.isEmpty {
      report(
        .notCarried, "\(element): \(notes.joined(separator: ", "))", element: element, at: place)
    }
    noteObservers(binding, element, place)
  }

  private mutating func noteObservers(
    _ binding: PatternBindingSyntax, _ element: ElementPath, _ place: Place
  ) {
    guard case .accessors(let list)? = binding.accessorBlock?.accessors else { return }
    let names = list.map { "'\($0.accessorSpecifier.text)'" }
    guard !names.isEmpty else { return }
    report(
      .notCarried,
      "\(element): \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") not kept: "
        + "a generated property has no observers, so this code no longer runs",
      element: element, at: place,
      help: [
        "move the code to where the app sets the property, or into a method, in the members file, that sets the property"
      ], severity: .warning)
  }

  private static let knownAttributes: Set<String> = [
    "Attribute", "Relationship", "Transient", "available", "MainActor", "objc",
  ]

  private mutating func noteAttributes(_ variable: VariableDeclSyntax, _ element: ElementPath) {
    for case .ifConfigDecl(let condition) in variable.attributes where types.isStored {
      let whole = condition.clauses.first?.condition?.oneLine ?? "…"
      report(
        .unreadProperty,
        "'#if \(whole)' among the attributes of '\(element)' decides what is stored: two builds would write different stores",
        element: element, at: file.location(of: condition),
        help: [
          "remove the '#if', so that every build stores the same",
          "or put '#if' around the whole property: declare the property with the attribute, and after '#else' without it",
        ])
    }
    for case .attribute(let attribute) in variable.attributes
    where !Self.knownAttributes.contains(attribute.attributeName.lastName) {
      report(
        .unreadProperty,
        "'@\(attribute.attributeName.trimmedDescription)' on '\(element)' cannot be expressed in a manifest",
        element: element, at: file.location(of: attribute),
        help: ["remove it, or mark the property '@Transient'"])
    }
  }

  // MARK: Attributes

  private mutating func attribute(
    _ found: TypeReference, _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax,
    _ property: inout Property, _ element: ElementPath, _ place: Place
  ) -> Attribute {
    var attribute = Attribute(type: found)
    if let value = binding.initializer?.value,
      !(found.isOptional ? value.isNilOfOptional : value.isNil)
    {
      // A type in the default may be declared in another file, and have another name in manifests.
      types.missing.formUnion(index.unknownNames(in: value, type.path))
      do throws(TypeResolver.Failure) {
        attribute.defaultValue = try types.expression(value, of: found, in: type.path)
      } catch {
        report(
          .unreadProperty, "'\(element)': \(error.reason)", element: element,
          at: file.location(of: value), help: ["write the default on one line, or as a constant"])
      }
    }
    for argument in variable.attributes.arguments(of: "Attribute") {
      switch argument.label?.text {
      case nil: read(option: argument.expression, &attribute, element)
      case "originalName": property.originalName = text(argument, element)
      case "hashModifier": property.hashModifier = text(argument, element)
      default: reportUnread(argument, element)
      }
    }
    return attribute
  }

  private mutating func read(
    option expression: ExprSyntax, _ attribute: inout Attribute, _ element: ElementPath
  ) {
    if let name = expression.memberName, let option = Attribute.Option(rawValue: name) {
      attribute.options.insert(option)
      return
    }
    if let call = expression.as(FunctionCallExprSyntax.self),
      call.calledExpression.memberName == "transformable",
      let argument = call.arguments.first?.expression
    {
      if let name = argument.stringValue ?? constant(argument) {
        attribute.transformer = name
        return
      }
      if let path = argument.memberPath, path.last == "self" {
        attribute.transformer = path.dropLast().joined(separator: ".")
        return
      }
      if let argument = call.arguments.first { return reportUnread(argument, element) }
    }
    report(
      .unreadProperty, "unknown option '\(expression.trimmedDescription)' of '@Attribute'",
      element: element, at: file.location(of: expression))
  }

  // MARK: Relationships

  private mutating func relationship(
    to destination: String, _ found: TypeReference, _ variable: VariableDeclSyntax,
    _ binding: PatternBindingSyntax, _ property: inout Property, _ place: Place
  ) -> Relationship {
    let element = ElementPath(name, property.name)
    let isMany = if case .array = found.unwrapped { true } else { false }
    var relationship = Relationship(
      destination: Located(destination, at: place),
      cardinality: Relationship.Cardinality(isMany: isMany, isOptional: found.isOptional))
    property.mapping.form = .omit
    for argument in variable.attributes.arguments(of: "Relationship") {
      let expression = argument.expression
      switch argument.label?.text {
      case nil where expression.memberName == "unique": relationship.isUnique = true
      case "deleteRule":
        if let rule = expression.memberName.flatMap(Relationship.DeleteRule.init(rawValue:)) {
          relationship.deleteRule = rule
        } else {
          reportUnread(argument, element)
        }
      case "minimumModelCount": relationship.minimum = number(argument, element)
      case "maximumModelCount": relationship.maximum = number(argument, element)
      case "originalName": property.originalName = text(argument, element)
      case "hashModifier": property.hashModifier = text(argument, element)
      case "inverse":
        if let path = expression.keyPathProperty {
          if leadsElsewhere(path.root, than: destination) {
            report(
              .unreadProperty,
              "'\(expression.trimmedDescription)' of '\(element)' is not a property of '\(destination)'",
              element: element, at: file.location(of: expression),
              help: [
                "name the relationship of '\(destination)' that leads back, or name no inverse"
              ])
          }
          relationship.inverse = Located(path.name, at: file.location(of: expression))
          relationship.declaresInverse = true
        } else if !expression.isNil {
          reportUnread(argument, element)
        }
      default: reportUnread(argument, element)
      }
    }
    return relationship
  }

  /// Whether a key path's type is neither the destination nor a model that it inherits from.
  private func leadsElsewhere(_ root: [String], than destination: String) -> Bool {
    guard let last = root.last, last != destination else { return false }
    guard let found = index.type(named: root, in: type.path) else {
      return models.foreign[root.joined(separator: ".")] != destination
    }
    return (models.model(found) ?? found.name) != destination
      && !index.types.contains {
        $0.isModel && $0.name == destination && $0.inherited.contains(found.name)
      }
  }

  private mutating func text(_ argument: LabeledExprSyntax, _ element: ElementPath) -> String? {
    if argument.expression.isNil { return nil }
    if let text = argument.expression.stringValue ?? constant(argument.expression) { return text }
    reportUnread(argument, element)
    return nil
  }

  /// The value of a static string constant, such as `ColorTransformer.name`; nil if no file has it.
  private mutating func constant(_ expression: ExprSyntax) -> String? {
    guard let path = expression.memberPath, path.count > 1, path.last != "self" else { return nil }
    let owner = Array(path.dropLast())
    guard let found = index.type(named: owner, in: type.path) else {
      types.missing.insert(owner[owner.count - 1])
      return nil
    }
    return found.members.compactMap { $0.as(VariableDeclSyntax.self) }
      .filter { $0.modifiers.isStatic && $0.bindingSpecifier.text == "let" }
      .flatMap { $0.bindings }
      .first { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain == path.last }?
      .initializer?.value.stringValue
  }

  private mutating func number(_ argument: LabeledExprSyntax, _ element: ElementPath) -> Int? {
    if argument.expression.isNil { return nil }
    if let number = argument.expression.integerValue { return number }
    reportUnread(argument, element)
    return nil
  }

  private mutating func reportUnread(_ argument: LabeledExprSyntax, _ element: ElementPath) {
    report(
      .unreadProperty, "'\(argument.trimmedDescription)' of '\(element)' cannot be read",
      element: element, at: file.location(of: argument),
      help: ["write it as SwiftData's documentation does, with a literal"])
  }

  // MARK: #Unique and #Index

  private mutating func read(_ macro: MacroExpansionDeclSyntax, _ model: inout Model) {
    switch macro.macroName.plain {
    case "Unique":
      for argument in macro.arguments {
        model.uniques.append(
          UniqueConstraint(
            properties: keyPaths(argument.expression), location: file.location(of: argument)))
      }
    case "Index":
      for argument in macro.arguments {
        var expression = argument.expression
        var kind = Index.Kind.binary
        if let call = expression.as(FunctionCallExprSyntax.self),
          let named = call.calledExpression.memberName.flatMap(Index.Kind.init(rawValue:)),
          let inner = call.arguments.first?.expression
        {
          kind = named
          expression = inner
        }
        model.indexes.append(Index(kind: kind, properties: keyPaths(expression)))
      }
    default:
      report(
        .cannotAdopt, "'#\(macro.macroName.text)' in '\(name)' cannot be expressed in a manifest",
        at: file.location(of: macro))
    }
  }

  /// The names of a list's properties; an impossible name if the list cannot be read.
  private mutating func keyPaths(_ expression: ExprSyntax) -> [Located<String>] {
    guard let array = expression.as(ArrayExprSyntax.self) else {
      report(
        .unreadProperty,
        "'\(expression.trimmedDescription)' cannot be read as a list of key paths",
        at: file.location(of: expression))
      return [Located(TypeReference.unread.description, at: file.location(of: expression))]
    }
    return array.elements.map { element in
      let place = file.location(of: element.expression)
      guard let path = element.expression.keyPathProperty,
        (path.root.last ?? type.name) == type.name
      else {
        report(
          .unreadProperty,
          "'\(element.expression.trimmedDescription)' is not a key path to a property of '\(name)'",
          at: place)
        return Located(TypeReference.unread.description, at: place)
      }
      return Located(path.name, at: place)
    }
  }

  private mutating func report(
    _ rule: Rule, _ message: String, element: ElementPath? = nil, at place: Place,
    help: [String] = [], severity: Diagnostic.Severity? = nil
  ) {
    findings.append(
      Diagnostic(
        rule, message, element: element ?? ElementPath(name), at: place, help: help,
        severity: severity))
  }
}

extension Model {
  /// Whether the generated initialiser has these labels in this order. Labels of properties with defaults may be left
  /// out.
  func generatedInitializerTakes(_ labels: [String]) -> Bool {
    properties.filter { !$0.isTransient }.initializerTakes(labels)
  }

  /// Puts the named properties into this order. The others keep their places.
  mutating func arrangeProperties(_ names: [String]) {
    let places = properties.indices.filter { names.contains(properties[$0].name) }
    let arranged = names.compactMap { property(named: $0) }
    for (place, property) in zip(places, arranged) { properties[place] = property }
  }
}

extension [Property] {
  func initializerTakes(_ labels: [String]) -> Bool {
    var labels = labels[...]
    for property in self {
      if property.name == labels.first {
        labels.removeFirst()
      } else if property.initializerValue == nil {
        return false
      }
    }
    return labels.isEmpty
  }
}

extension VariableDeclSyntax {
  /// The bindings with their types. In `var a, b: Int` the type also applies to the names before it.
  var typedBindings: [(PatternBindingSyntax, TypeSyntax?)] {
    let bindings = Array(self.bindings)
    return bindings.indices.map { index in
      let binding = bindings[index]
      if binding.initializer != nil { return (binding, binding.typeAnnotation?.type) }
      return (binding, bindings[index...].lazy.compactMap(\.typeAnnotation).first?.type)
    }
  }
}

extension AttributeListSyntax {
  func arguments(of name: String) -> [LabeledExprSyntax] {
    self.attributes(name).flatMap { attribute -> [LabeledExprSyntax] in
      guard case .argumentList(let list)? = attribute.arguments else { return [] }
      return Array(list)
    }
  }
}
