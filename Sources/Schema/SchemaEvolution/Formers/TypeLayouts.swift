package import SchemaModel

/// The conversion of a struct's or an enum's values to a neighbouring version's layout.
package struct LayoutConversion: Sendable {
  package enum Parts: Sendable {
    /// The value of each field of `to`, in order. In the values, `DerivedValue.column` stands for a field of `from`.
    case fields([(name: String, value: DerivedValue)])
    /// The case in `to` for each case of `from`, in order; `nil` if there is none.
    case cases([(name: String, successor: String?)])
  }

  package var from: String
  package var to: String
  package var parts: Parts

  package var canFail: Bool {
    guard case .cases(let cases) = parts else { return false }
    return cases.contains { $0.successor == nil }
  }
}

/// The layouts that structs and enums in columns had in older versions, and a history in which each version uses its
/// layouts.
///
/// A store has a column for each field of a struct and for each case of an enum. An enum with raw values has one column
/// of the raw type. These columns enter the version's hash (docs/facts/identity.md#composite-by-leaves). Models of
/// older versions store a copy of a type whose columns differed.
package struct TypeLayouts: Sendable {
  package private(set) var conversions: [LayoutConversion] = []
  private(set) var history: [SchemaVersion]
  /// For each version, the names of copies, by the names of the types whose layouts differ from the current ones.
  private var names: [[String: String]]

  /// - Parameter history: All versions, with the current names of enum cases.
  init(_ history: [SchemaVersion]) {
    self.history = history
    names = Array(repeating: [:], count: history.count)
    var newest: [String: String] = [:]
    for version in history {
      for type in version.types {
        newest[type.name] = version.layout(of: .named(type.name))
      }
    }
    guard !newest.isEmpty else { return }
    var known: [String: String] = [:]
    var taken = Set(history.flatMap { $0.types.map(\.name) + $0.models.map(\.name) })
    for index in history.indices {
      for type in history[index].typesInColumns.sorted() {
        let layout = history[index].layout(of: .named(type))
        guard let now = newest[type], layout != now else { continue }
        let key = "\(type) \(layout)"
        if known[key] == nil {
          let plain = type.replacing(".", with: "").uppercasedFirst
          var name = "Former\(plain)V\(history[index].number.label)"
          while taken.contains(name) { name += "_" }
          taken.insert(name)
          known[key] = name
        }
        names[index][type] = known[key]
      }
    }
    guard !isEmpty else { return }
    for index in history.indices.dropFirst() { connect(index - 1, index) }
    for index in history.indices { rename(at: index) }
  }

  /// The layouts without the first `count` versions, and without copies that only those versions store.
  func dropping(_ count: Int) -> TypeLayouts {
    var kept = self
    kept.history.removeFirst(count)
    kept.names.removeFirst(count)
    let gone = Set(names.flatMap(\.values)).subtracting(kept.names.flatMap(\.values))
    kept.conversions.removeAll { gone.contains($0.from) || gone.contains($0.to) }
    return kept
  }

  package var isEmpty: Bool { names.allSatisfy(\.isEmpty) }

  func conversion(_ old: TypeReference, to new: TypeReference) -> LayoutConversion? {
    conversions.first { .named($0.from) == old && .named($0.to) == new }
  }

  /// Whether a version stores values of a type as the previous version does, or can convert them.
  func carries(_ type: TypeReference, into version: VersionNumber) -> Bool {
    guard !isEmpty, case .named(let name, arguments: []) = type.unwrapped,
      let index = history.firstIndex(where: { $0.number == version }), index > 0
    else { return true }
    let (old, new) = (self.name(of: name, at: index - 1), self.name(of: name, at: index))
    guard old != new else { return true }
    let conversion = conversion(.named(old), to: .named(new))
    return conversion.map { !$0.canFail || type.isOptional } ?? false
  }

  func value(_ value: DerivedValue, of source: Property, as attribute: Attribute) -> DerivedValue {
    guard !isEmpty, let old = source.attribute else { return value }
    return DerivedValue.adapting(
      value, from: old.valueType, to: attribute.valueType, substitute: nil, self) ?? value
  }

  // MARK: Conversions

  package func name(of type: String, at index: Int) -> String { names[index][type] ?? type }

  private func fields(of type: String, at index: Int) -> [StructField]? {
    guard case .structure(let fields)? = history[index].type(named: type)?.kind else { return nil }
    return fields.map { field in
      var field = field
      field.type = field.type.renamed(names[index])
      return field
    }
  }

  private mutating func connect(_ old: Int, _ new: Int) {
    // The types inside a struct come before the struct. In any version, a struct reaches more types than each type
    // inside it.
    let types = [old, new].map { Dictionary(history[$0].types, keyedBy: \.name) }
    let sizes = Set(names[old].keys).union(names[new].keys).map { type in
      (type, types.reduce(0) { $0 + $1.reached(from: type).count })
    }
    for (type, _) in sizes.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { connect(type, old, new) }
  }

  private mutating func connect(_ type: String, _ old: Int, _ new: Int) {
    let (before, after) = (name(of: type, at: old), name(of: type, at: new))
    guard before != after else { return }
    connectCases(of: type, old, new)
    guard let was = fields(of: type, at: old), let now = fields(of: type, at: new) else { return }
    let drops = history[new].drops
    connect(from: (before, was), to: (after, now)) { _ in nil }
    connect(from: (after, now), to: (before, was)) { field in
      drops.first { $0.element.value == ElementPath(type, field) }?.revert
    }
  }

  /// - Parameter dropped: Returns the value in `drops:` for a field that `from` does not have.
  private mutating func connect(
    from: (name: String, fields: [StructField]), to: (name: String, fields: [StructField]),
    dropped: (String) -> SwiftExpression?
  ) {
    guard conversion(.named(from.name), to: .named(to.name)) == nil else { return }
    var found: [(name: String, value: DerivedValue)] = []
    for field in to.fields {
      let substitute = field.defaultValue.map(DerivedValue.expression)
      let value =
        if let was = from.fields.first(where: { $0.name == field.name }) {
          DerivedValue.adapting(
            .column(was.name), from: was.type, to: field.type, substitute: substitute, self)
        } else {
          dropped(field.name).map(DerivedValue.expression) ?? substitute
            ?? (field.type.isOptional ? .nothing : nil)
        }
      guard let value else { return }
      found.append((field.name, value))
    }
    conversions.append(LayoutConversion(from: from.name, to: to.name, parts: .fields(found)))
  }

  /// Adds conversions that pair the cases of two versions by name, or as the step declares.
  private mutating func connectCases(of type: String, _ old: Int, _ new: Int) {
    guard case .enumeration(nil, let was)? = history[old].type(named: type)?.kind,
      case .enumeration(nil, let now)? = history[new].type(named: type)?.kind
    else { return }
    let successors = CasePairing(type, from: history[old], to: history[new]).successors
    func connect(
      _ from: String, _ to: String, _ cases: [EnumCase], successor: (String) -> String?
    ) {
      guard conversion(.named(from), to: .named(to)) == nil else { return }
      let cases = cases.map { (name: $0.name, successor: successor($0.name)) }
      conversions.append(LayoutConversion(from: from, to: to, parts: .cases(cases)))
    }
    let (before, after) = (name(of: type, at: old), name(of: type, at: new))
    connect(before, after, was) { name in successors.first { $0.old.name == name }?.new.name }
    connect(after, before, now) { name in
      let olds = successors.filter { $0.new.name == name }.map(\.old.name)
      return olds.contains(name) ? name : olds.first
    }
  }

  // MARK: Names

  private mutating func rename(at index: Int) {
    let before = index > 0 ? names[index - 1] : [:]
    guard !names[index].isEmpty || !before.isEmpty else { return }
    var version = history[index]
    for type in version.types {
      guard let name = names[index][type.name] else { continue }
      var former = type
      former.name = name
      if let fields = fields(of: type.name, at: index) { former.kind = .structure(fields: fields) }
      former.isOwn = false
      former.appName = nil
      former.documentation = "`\(type.name)` as \(holders(of: name)) store it."
      version.types.append(former)
    }
    for model in version.models.indices {
      for property in version.models[model].properties.indices {
        rename(&version.models[model].properties[property], at: index, before)
      }
    }
    for place in version.drops.indices {
      version.drops[place].revert = version.drops[place].revert.map(PathNames(before).applied)
    }
    history[index] = version
  }

  /// The models that store a copy of a type: `models of V1`, `models of V1 to V3`.
  private func holders(of name: String) -> String {
    let versions = history.indices.filter { names[$0].values.contains(name) }
      .map { history[$0].number.name }
    let range = [versions.first, versions.count > 1 ? versions.last : nil].compactMap(\.self)
    return "models of " + range.joined(separator: " to ")
  }

  private func rename(_ property: inout Property, at index: Int, _ before: [String: String]) {
    guard property.isStored, var attribute = property.attribute, attribute.isInColumns else {
      return
    }
    let declared = attribute.type.unwrapped
    let names = PathNames(names[index])
    func followed(_ expression: SwiftExpression) -> SwiftExpression? {
      guard let member = expression.staticMember(of: declared) else {
        return names.applied(to: expression)
      }
      return former(member, of: declared, at: index)
    }
    func followed(_ conversion: Located<Conversion>?) -> Located<Conversion>? {
      guard case .expression(let expression)? = conversion?.value else { return conversion }
      return followed(expression).map { Located(.expression($0), at: conversion?.location) }
    }
    attribute.type = attribute.type.renamed(self.names[index])
    attribute.defaultValue = attribute.defaultValue.flatMap(followed)
    property.kind = .attribute(attribute)
    property.initializerDefault = property.initializerDefault.flatMap(followed)
    property.migration.convert = followed(property.migration.convert)
    property.migration.fill = followed(property.migration.fill)
    property.migration.revert = property.migration.revert.map { reversion in
      guard case .expression(let expression) = reversion.value else { return reversion }
      let value = Conversion.expression(PathNames(before).applied(to: expression))
      return Reversion(Located(value, at: reversion.location), from: reversion.from)
    }
  }

  /// Converts a case or static member of the current type to a version's copy of the type. A copy has no static
  /// members, so their values are converted from version to version. Returns `nil` if there is no conversion.
  private func former(
    _ member: String, of type: TypeReference, at index: Int
  ) -> SwiftExpression? {
    guard case .named(let type, arguments: []) = type else { return nil }
    let isCase = history[index].type(named: type)?.cases.contains { $0.name == member } == true
    if isCase { return try? SwiftExpression("\(name(of: type, at: index)).\(member)") }
    var value = "\(type).\(member)"
    var current = type
    for index in (index..<history.count).reversed() {
      let name = name(of: type, at: index)
      guard name != current else { continue }
      guard let conversion = conversion(.named(current), to: .named(name)), !conversion.canFail
      else { return nil }
      value = "\(name)(\(value))"
      current = name
    }
    return try? SwiftExpression(value)
  }
}

extension [String: ValueTypeDeclaration] {
  /// The names of a type and of all types that its fields contain, at any depth.
  func reached(from name: String) -> [String] {
    var open = [name]
    var found: [String] = []
    while let next = open.popLast() {
      guard let type = self[next], !found.contains(next) else { continue }
      found.append(next)
      open += type.fields.compactMap { field in
        if case .named(let name, arguments: []) = field.type.unwrapped { return name }
        return nil
      }
    }
    return found
  }
}

extension SchemaVersion {
  fileprivate var typesInColumns: Set<String> {
    let types = Dictionary(types, keyedBy: \.name)
    var found: Set<String> = []
    for model in models {
      for property in model.properties where property.isStored {
        guard let attribute = property.attribute, attribute.isInColumns,
          case .named(let name, arguments: []) = attribute.type.unwrapped, !found.contains(name)
        else { continue }
        found.formUnion(types.reached(from: name).filter { types[$0]?.hasParts == true })
      }
    }
    return found
  }

  /// Describes a type's columns: the fields of a struct with their columns, the cases of an enum in a fixed order, or
  /// the type of an enum's raw values.
  fileprivate func layout(of type: TypeReference, in outer: Set<String> = []) -> String {
    guard case .named(let name, arguments: []) = type.unwrapped, !outer.contains(name),
      let declaration = self.type(named: name)
    else { return type.description }
    guard declaration.hasParts else {
      return "opaque \(declaration.columnsDigest ?? type.description)"
    }
    let inner = outer.union([name])
    // The column of an enum with raw values has the raw type, in any version of the enum.
    if case .enumeration(let raw?, _) = declaration.kind {
      let primitive = StorageType.Primitive.bySwiftName[raw.description]
      return "{raw \(primitive.map { "\($0.row.attribute)" } ?? raw.description)}"
    }
    let parts =
      declaration.cases.map(\.name)
      + declaration.fields.map { "\($0.name): \(layout(of: $0.type, in: inner))" }
    return "{\(parts.sorted().joined(separator: ", "))}" + (type.isOptional ? "?" : "")
  }
}

extension [SchemaVersion] {
  /// The app's types in columns that the newest version does not have, each with the last version that has it.
  /// Generated code of older versions uses the app's declaration.
  package var formerTypes: [(type: ValueTypeDeclaration, version: SchemaVersion)] {
    var taken = Set(last?.types.map(\.name) ?? [])
    return dropLast().reversed().flatMap { version in
      let names = version.typesInColumns.union(version.opaqueTypes)
      return version.types.filter { type in
        type.isOwn && names.contains(type.name) && taken.insert(type.name).inserted
      }.map { (type: $0, version: version) }
    }
  }
}

extension SchemaVersion {
  fileprivate var opaqueTypes: Set<String> {
    Set(types.filter { !$0.hasParts }.map(\.name))
  }

  /// Whether a type has the same columns as in another version, and can read all values in those columns.
  package func stores(_ name: String, as older: SchemaVersion) -> Bool {
    guard let now = type(named: name), let then = older.type(named: name) else { return true }
    if now.kind == .opaque || then.kind == .opaque { return !now.hasOtherColumns(than: then) }
    guard layout(of: .named(name)) == older.layout(of: .named(name)) else { return false }
    let values = Set(now.cases.map(\.storedText))
    return then.cases.allSatisfy { values.contains($0.storedText) }
  }
}

extension ValueTypeDeclaration {
  /// Whether the type's columns follow from its fields or cases, so a copy has the same columns.
  fileprivate var hasParts: Bool { kind != .opaque }
}

extension Attribute {
  var isInColumns: Bool { encodes == nil && transformer == nil }
}

extension TypeReference {
  fileprivate func renamed(_ names: [String: String]) -> TypeReference {
    switch self {
    case .optional(let wrapped): .optional(wrapped.renamed(names))
    case .named(let name, arguments: []): .named(names[name] ?? name)
    default: self
    }
  }
}

extension SwiftExpression {
  /// The name of the static member that makes up the expression: `zero` in `Price.zero` and `.zero`.
  fileprivate func staticMember(of type: TypeReference) -> String? {
    let prefix = text.hasPrefix(".") ? "." : "\(type)."
    guard text.hasPrefix(prefix) else { return nil }
    let member = text.dropFirst(prefix.count)
    let isName = member.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && !member.isEmpty ? String(member) : nil
  }
}
