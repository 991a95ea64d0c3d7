internal import SchemaModel

/// The line of a manifest at which each element of a version begins.
struct ManifestPlaces {
  /// Sorted by line. The outermost element comes first on a line.
  private var places: [(line: Int, element: ElementPath)] = []

  init(_ version: SchemaVersion) {
    for model in version.models {
      add(ElementPath(model.name), model.location, model.superclass?.location)
      for source in model.sources { add(ElementPath(model.name), source.location) }
      for property in model.properties {
        add(ElementPath(model.name, property.name), property.location)
      }
      for constraint in model.uniques { add(ElementPath(model.name), constraint.location) }
      for index in model.indexes { add(ElementPath(model.name), index.properties.first?.location) }
    }
    for type in version.types {
      add(ElementPath(type.name), type.location)
      switch type.kind {
      case .enumeration(_, let cases):
        for enumCase in cases { add(ElementPath(type.name, enumCase.name), enumCase.location) }
      case .structure(let fields):
        for field in fields { add(ElementPath(type.name, field.name), field.location) }
      case .opaque: break
      }
    }
    for drop in version.drops { add(drop.element.value, drop.element.location) }
    // Elements on one line keep the order in which they were added.
    places = places.enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }
    .map(\.element)
  }

  /// The outermost element that begins at a line; if there is none, the last element that begins before the line.
  func element(at line: Int) -> ElementPath? {
    if let first = places.first(where: { $0.line == line }) { return first.element }
    return places.last { $0.line < line }?.element
  }

  private mutating func add(_ element: ElementPath, _ locations: SourceLocation?...) {
    for location in locations {
      if let location { places.append((location.line, element)) }
    }
  }
}
