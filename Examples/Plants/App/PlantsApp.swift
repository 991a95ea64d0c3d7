import SwiftData
import SwiftUI

@main
struct PlantsApp: App {
  var body: some Scene {
    WindowGroup {
      PlantList()
    }
    .modelContainer(for: [Plant.self, Room.self])
  }
}
