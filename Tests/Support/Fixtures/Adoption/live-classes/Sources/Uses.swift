/// What screens do.
func walkDogs() -> [Any] {
  let dog = Dog(name: "Bello").bark()
  return [dog, Dog(), Dog(age: 2, name: "Ada"), Walk(3, with: dog)]
}
