/// What screens do.
func walkDogs() -> [Any] {
  let dog = Dog(name: "Bello").bark()
  return [dog, Dog(), Dog(age: 2), Walk(length: 3, dog: dog)]
}
