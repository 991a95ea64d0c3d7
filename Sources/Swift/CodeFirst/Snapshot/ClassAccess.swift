internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

extension LiveClasses {
  /// Reports stored properties that generated code in other files uses but cannot access.
  ///
  /// - Parameter evolution: The history with the classes as its newest version.
  func unreachable(in evolution: Evolution) -> [Diagnostic] {
    var places: [Place: (element: ElementPath, property: Property)] = [:]
    for model in version.models {
      for property in model.properties where !property.isTransient {
        guard let place = property.location else { continue }
        places[place] = (ElementPath(model.name, property.name), property)
      }
    }
    let converters = evolution.versions.last?.converters ?? [:]
    let makesRows =
      evolution.configuration.tests != nil || evolution.configuration.extras.contains(.fixtures)
    guard makesRows || !converters.isEmpty else { return [] }
    return sources.filter { $0.file.text.contains("private") }.flatMap { source in
      source.syntax.all(VariableDeclSyntax.self).flatMap { node -> [Diagnostic] in
        guard let modifier = node.modifiers.first(where: \.isPrivate) else { return [] }
        return node.bindings.compactMap { binding -> Diagnostic? in
          guard let (element, property) = places[source.location(of: binding.pattern)] else {
            return nil
          }
          let converter = converters[element.owner]
          if modifier.detail == nil {
            // Creating a row needs all properties.
            let isRead = makesRows || converter?.reads(property.name) ?? false
            guard isRead || evolution.configuration.converters == .both && converter != nil else {
              return nil
            }
            return .unreachable(element, property, "is \(modifier.name.text)", "needs it")
              .helping(
                "remove the modifier",
                "or write 'converters: none' in schemagen.yaml, and remove 'tests:' and fixtures")
          }
          guard converter?.update?.sets(property.name) == true else { return nil }
          return .unreachable(
            element, property, "has a setter that is \(modifier.name.text)",
            "sets it in update(from:)"
          ).helping(
            "remove the modifier",
            "or keep it out of the entity: write '// schemagen:inEntity omit' above it",
            "or omit update(from:): 'converters: toEntity' in schemagen.yaml")
        }
      }
    }
  }
}

extension Converter {
  fileprivate func reads(_ property: String) -> Bool {
    toEntity.contains { $0.value.properties.contains(property) }
  }
}

extension EntityUpdate {
  fileprivate func sets(_ property: String) -> Bool {
    values.contains { $0.label == property } || links.contains { $0.property.name == property }
  }
}

extension DeclModifierSyntax {
  fileprivate var isPrivate: Bool { ["private", "fileprivate"].contains(name.text) }
}

extension Diagnostic {
  fileprivate static func unreachable(
    _ element: ElementPath, _ property: Property, _ what: String, _ use: String
  ) -> Diagnostic {
    Diagnostic(
      .modelDiffers, "'\(element)' \(what), and generated code in another file \(use)",
      element: element, at: property.location)
  }

  fileprivate func helping(_ help: String...) -> Diagnostic {
    var finding = self
    finding.help = help
    return finding
  }
}
