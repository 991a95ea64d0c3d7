// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Meal {
  convenience init?(of recipe: Recipe, on date: Date, tags: [String] = []) {
    guard !recipe.name.isEmpty else { return nil }
    let start = calendar.startOfDay(for: date)
    self.init(
      title: recipe.name.trimmingCharacters(in: .whitespaces),
      day: start,
      week: calendar.component(.weekOfYear, from: start),
      tags: tags
    )
    isShown = true
    if recipe.servings > 4 { mark("big") }
  }

  func mark(_ tag: String) { tags.append(tag) }
}

/// Whose dates are read.
private let calendar = Calendar(identifier: .gregorian)
