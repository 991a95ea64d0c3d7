import SwiftData

/// What the app keeps, in a file without any model.
enum Stored {
  static let models: [any PersistentModel.Type] = [Journal.self]
}
