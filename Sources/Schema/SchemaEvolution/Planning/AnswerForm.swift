package import SchemaModel

/// Formats an answer for a message: as the manifest's text or, in code first, as a comment or macro in the class.
package struct AnswerForm: Sendable {
  package let isInClass: Bool

  package init(isInClass: Bool) { self.isInClass = isInClass }

  /// An instruction with its purpose first: `for example: note: { type: String?, from: text, … }`.
  package func instruction(_ purpose: String, _ answer: String) -> String {
    guard isInClass else { return "\(purpose): \(answer)" }
    if purpose.hasSuffix("write") { return "\(purpose) \(answer)" }
    let isSentence = purpose.hasPrefix("for ") || answer.hasPrefix("rename ")
    return purpose + (isSentence ? ", " : ", write ") + answer
  }

  /// A property with keys of the manifest.
  ///
  /// In a class, a rename is an argument of the property's macro. All other keys are comments above the property.
  ///
  /// - Parameter isMade: Whether the engine creates a new column for the property, which makes a rename a comment as
  ///   well.
  package func property(
    _ property: Property, _ keys: [(key: String, value: String)], isMade: Bool = false
  ) -> String {
    guard isInClass else { return ManifestEdit.property(property, adding: keys) }
    if keys.count == 1, keys[0].key == "renamedFrom", !isMade {
      return "in the class: " + Self.originalName(keys[0].value, of: property)
    }
    let comments = keys.map { "// schemagen:\($0.key) \($0.value)" }
    return "above '\(property.name)' in the class: " + comments.joined(separator: ", and below it ")
  }

  static func originalName(_ name: String, of property: Property) -> String {
    (property.relationship == nil ? "@Attribute" : "@Relationship") + "(originalName: \"\(name)\")"
  }

  func rename(_ old: String, to new: String) -> String {
    isInClass
      ? "above the class '\(new)': // schemagen:renamedFrom \(old)"
      : "\(new): { renamedFrom: \(old), … }"
  }

  func origin(_ source: String, of model: String) -> String {
    isInClass ? "above the class '\(model)': // schemagen:from \(source)" : "from: \(source)"
  }

  /// The removal of a model, a property, a case or a field.
  ///
  /// - Parameter hasOwner: Whether the class or type still exists, so the comment can be above its declaration.
  func drop(_ drop: Drop, hasOwner: Bool) -> String {
    guard isInClass else { return ManifestEdit.drop(drop) }
    let path = drop.element.value
    let name = hasOwner ? path.member ?? path.owner : path.description
    return (hasOwner ? "above '\(path.owner)' in Swift: " : "in any file of the classes: ")
      + "// schemagen:drop \(name): \(ManifestEdit.value(of: drop))"
  }

  /// The removal with a placeholder for the reason. The elements in `names` receive none of the removed values.
  func drop(
    _ element: ElementPath, notCarriedTo names: [String] = [], hasOwner: Bool
  ) -> String {
    drop(
      Drop(element: Located(element), reason: "why", notCarriedTo: names.map { Located($0) }),
      hasOwner: hasOwner)
  }

  func replacement(of element: ElementPath) -> String {
    isInClass
      ? "above '\(element.owner)' in Swift: // schemagen:drop \(element.member ?? ""): { reason: \"why\", replacedBy: … }"
      : "drops: { \(element): { reason: \"why\", replacedBy: … } }"
  }

  /// A renamed case. If the app declares the enum, the raw value is in Swift.
  func renamedCase(_ name: String, from old: EnumCase, rawValue: String? = nil) -> String {
    guard isInClass else { return ManifestEdit.renamedCase(name, from: old, rawValue: rawValue) }
    return rawValue == nil
      ? "in Swift: case \(name) = \(old.storedText)"
      : "above 'case \(name)' in Swift: // schemagen:renamedFrom \(old.name)"
  }

  package func acceptance(_ rule: String, _ element: ElementPath) -> String {
    isInClass
      ? "above '\(element.member ?? element.owner)' in the class: // schemagen:accept \(rule): why"
      : ManifestEdit.acceptance(rule, element)
  }
}
