import SwiftData

/// The class that the screens use, and of which the version has a copy.
@Model final class Dog {
  var name: String = ""
  var age: Int
  @Relationship(inverse: \Walk.dog) var walks: [Walk] = []

  init(age: Int = 1, name: String = "Rex") {
    self.name = name
    self.age = age
  }

  func bark() -> Dog {
    name += "!"
    return self
  }
}

@Model final class Walk {
  var length: Double = 0
  var dog: Dog?

  init(_ length: Double, with dog: Dog) {
    self.length = length
    self.dog = dog
  }
}
