import Foundation
import SwiftData

/// Whose dates are read.
private let calendar = Calendar(identifier: .gregorian)

/// All labels, with defaults.
@Model
final class Recipe {
  enum Difficulty: String, Codable {
    case easy, hard
  }

  var id: UUID
  var name: String
  var servings: Int
  var rating: Int = 0
  var difficulty: Difficulty
  var notes: String?
  var createdAt: Date
  @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient]?

  init(
    id: UUID = UUID(), name: String, servings: Int = 2, rating: Int = 3,
    difficulty: Difficulty = .easy, notes: String? = "none", createdAt: Date = .now,
    ingredients: [Ingredient]? = []
  ) {
    self.id = id
    self.name = name
    self.servings = servings
    self.rating = rating
    self.difficulty = difficulty
    self.notes = notes
    self.createdAt = createdAt
    self.ingredients = ingredients
  }
}

/// Fewer labels, and values that are set in the body.
@Model
final class Ingredient {
  var id: UUID
  var name: String
  var amount: Double = 0
  var addedAt: Date
  var recipe: Recipe?

  /// One of which nothing else is known.
  ///
  /// - Parameter name: As the user writes it.
  init(name: String, amount: Double = 1) {
    // Made here.
    id = UUID()
    self.name = name
    self.amount = amount
    self.addedAt = .now
  }

  convenience init(_ line: String) {
    let parts = line.split(separator: " ")
    self.init(name: String(parts.last ?? ""), amount: Double(parts.first ?? "") ?? 1)
  }
}

/// Labels of its own, values that are computed, work afterwards.
@Model
final class Meal {
  var title: String
  var day: Date
  var week: Int
  var isCooked: Bool = false
  var tags: [String] = []
  @Transient var isShown: Bool = false

  init?(of recipe: Recipe, on date: Date, tags: [String] = []) {
    guard !recipe.name.isEmpty else { return nil }
    let start = calendar.startOfDay(for: date)
    title = recipe.name.trimmingCharacters(in: .whitespaces)
    day = start
    week = calendar.component(.weekOfYear, from: start)
    self.tags = tags
    isShown = true
    if recipe.servings > 4 { mark("big") }
  }

  func mark(_ tag: String) { tags.append(tag) }
}

/// The order is another one.
@Model
final class Step {
  var position: Int
  var text: String

  init(text: String, position: Int = 1) {
    self.text = text
    self.position = position
  }
}

/// All have a value, and only some are taken, in another order.
@Model
final class Photo {
  var id: UUID = UUID()
  var caption: String = ""
  var width: Int = 0
  var height: Int = 0

  init(height: Int = 2, width: Int = 1) {
    self.width = width
    self.height = height
    caption = "\(width) × \(height)"
  }
}

/// All values are there already.
@Model
final class Setting {
  var key: String = ""
  var value: String = ""

  init() {}

  init(key: String, value: String = "on") {
    self.key = key
    self.value = value
  }
}

/// Swift would not know which initialiser a call without arguments means.
@Model
final class Badge {
  var kindText: String?
  var label: String = ""

  init(kind: Int? = nil, label: String = "new") {
    kindText = kind.map(String.init)
    self.label = label
  }

  init(kind: Int, label: String = "new", isLoud: Bool) {
    kindText = "\(kind)"
    self.label = isLoud ? label.uppercased() : label
  }
}

/// What no extension can say.
@Model
final class Note {
  var text: String
  var length: Int

  init(text: String, length: Int = 0) {
    self.text = text.trimmingCharacters(in: .whitespaces)
    self.length = length
  }

  init(first: String?, second: String) {
    if let first {
      self.text = first
    } else {
      self.text = second
    }
    self.length = 1
  }
}
