import SwiftData

/// The class that the screens use.
@Model final class Walk {
  var length: Double = 0
  var weather: String = ""
  @Relationship(inverse: \Dog.walks) var dog: Dog?
  init() {}
}

@Model final class Dog {
  var name: String = ""
  var walks: [Walk] = []

  init(name: String = "Rex") {
    self.name = name
  }

  /// What the screens call.
  func bark() -> Dog {
    name += "!"
    return self
  }
}
