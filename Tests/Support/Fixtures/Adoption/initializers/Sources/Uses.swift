import Foundation

/// Makes rows in every way that the app has.
func makeRows(_ context: Recipe) -> [Any] {
  let recipe = Recipe(name: "New")
  let other = Recipe(name: "Old", servings: 3, difficulty: Recipe.Difficulty.hard)
  let full = Recipe(
    id: UUID(), name: "Full", servings: 1, rating: 1, difficulty: .easy, notes: nil,
    createdAt: Date(), ingredients: nil)
  let salt = Ingredient(name: "Salt")
  let sugar = Ingredient(name: "Sugar", amount: 2)
  let flour = Ingredient("3 flour")
  let meal = Meal(of: recipe, on: .now)
  let tagged = Meal(of: recipe, on: .now, tags: ["b"])
  let step = Step(text: "Mix")
  let second = Step(text: "Mix", position: 2)
  let setting = Setting()
  let named = Setting(key: "a")
  let photo = Photo()
  let wide = Photo(width: 3)
  let badge = Badge(kind: 1)
  let loud = Badge(kind: 1, isLoud: true)
  let note = Note(text: " a ")
  return [
    recipe, other, full, salt, sugar, flour, meal as Any, tagged as Any, step, second, setting,
    named, note, photo, wide, badge, loud,
  ]
}
