internal import SchemaModel

/// The fate of an enum's cases in a step, according to `renamedFrom:` and `replacedBy:`.
struct CasePairing {
  struct Link {
    let old: EnumCase
    let new: EnumCase
    let kind: ElementEdge.Kind

    var keepsRawValue: Bool { old.storedText == new.storedText }
    /// Whether the raw value in rows must be changed. The engine sees neither cases nor raw values
    /// (docs/facts/identity.md#enum-cases-neutral). If a case keeps its name, nothing states that its rows take a new
    /// raw value.
    var isCarried: Bool { kind != .kept && !keepsRawValue }
  }

  private(set) var links: [Link] = []
  private(set) var removed: [EnumCase] = []
  /// The cases that continue no older case. Such a case may replace an older one.
  private(set) var added: [EnumCase] = []

  /// The links whose rows keep their meaning. A case that keeps its name but gets another raw value is left out.
  var successors: [Link] { links.filter { $0.kind != .kept || $0.keepsRawValue } }
  var carried: [Link] { links.filter(\.isCarried) }

  /// There are no links if the type is not an enum with the same raw type in both versions.
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
  func replacement(of element: ElementPath) -> Located<String>? {
    drops.first { $0.element.value == element }?.replacedBy
  }
}
