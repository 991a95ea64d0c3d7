internal import SchemaModel

/// Which cases of an enum go on as which of a step's newer version, as `renamedFrom:` and `replacedBy:` say.
struct CasePairing {
  /// A case of the older version, and the one that its rows have in the newer.
  struct Link {
    let old: EnumCase
    let new: EnumCase
    let kind: ElementEdge.Kind

    var keepsRawValue: Bool { old.storedText == new.storedText }
    /// Whether rows have to be changed: the engine sees neither cases nor raw values
    /// (docs/facts/identity.md#enum-cases-neutral). Where one keeps its name, nobody said that rows follow its raw value.
    var isCarried: Bool { kind != .kept && !keepsRawValue }
  }

  /// In the order of the older version's cases.
  private(set) var links: [Link] = []
  private(set) var removed: [EnumCase] = []
  /// Those that are no older case, though they may take the place of one.
  private(set) var added: [EnumCase] = []

  /// The links by which rows find a case.
  var successors: [Link] { links.filter { $0.kind != .kept || $0.keepsRawValue } }
  var carried: [Link] { links.filter(\.isCarried) }

  /// Without links where the type is no enum in both versions, or not one of the same raw type.
  init(_ type: String, from old: SchemaVersion, to new: SchemaVersion) {
    guard case .enumeration(let rawType, let before)? = old.type(named: type)?.kind,
      case .enumeration(rawType, let after)? = new.type(named: type)?.kind
    else { return }
    var continued: Set<String> = []
    for was in before {
      let renamed = after.first { $0.renamedFrom?.value == was.name }
      let same = after.first { $0.name == was.name && $0.renamedFrom == nil }
      if let now = renamed ?? same {
        continued.insert(now.name)
        links.append(Link(old: was, new: now, kind: renamed == nil ? .kept : .renamed))
      } else if let name = new.replacement(of: ElementPath(type, was.name))?.value,
        let now = after.first(where: { $0.name == name })
      {
        links.append(Link(old: was, new: now, kind: .converted))
      } else {
        removed.append(was)
      }
    }
    added = after.filter { !continued.contains($0.name) }
  }
}

extension SchemaVersion {
  /// The case that `drops:` puts in the place of a dropped one.
  func replacement(of element: ElementPath) -> Located<String>? {
    drops.first { $0.element.value == element }?.replacedBy
  }
}
