import Foundation
import SwiftData
import SwiftUI

@main
struct RecipesApp: App {
  var body: some Scene {
    WindowGroup { Text("Recipes") }.modelContainer(for: [
      Recipe.self, Meal.self, Step.self, Photo.self, Setting.self, Badge.self, Note.self,
    ])
  }
}
