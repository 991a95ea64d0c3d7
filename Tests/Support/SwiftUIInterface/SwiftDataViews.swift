// The part of SwiftUI for apps that import SwiftData, compiled as a file of the app, since it exists only where both
// are imported.

import Foundation
import SwiftData
import SwiftUI

extension View {
  nonisolated func modelContainer(_ container: ModelContainer) -> some View { self }
}

extension Scene {
  nonisolated func modelContainer(for modelTypes: [any PersistentModel.Type]) -> some Scene { self }
}

@propertyWrapper
struct Query<Element: PersistentModel> {
  init<Value: Comparable>(sort keyPath: KeyPath<Element, Value>) {}
  var wrappedValue: [Element] { [] }
}
