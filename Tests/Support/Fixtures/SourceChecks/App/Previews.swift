// What previews and debug builds make is nobody's store.
import SwiftData
import SwiftUI

#Preview {
  let container = try! ModelContainer(for: ActiveTrip.self)
  return TripList().modelContainer(container)
}

enum PreviewData {
  @MainActor static let container: ModelContainer = {
    do {
      return try ModelContainer(for: ActiveTrip.self)
    } catch {
      fatalError("no preview: \(error)")
    }
  }()
}

struct SampleTrips: PreviewModifier {
  static func makeSharedContext() async throws -> ModelContainer {
    try ModelContainer(for: ActiveTrip.self)
  }
}

extension ModelContainer {
  @MainActor static var previewContainer: ModelContainer {
    try! ModelContainer(for: ActiveTrip.self)
  }

  static func makePreview() -> ModelContainer { try! ModelContainer(for: ActiveTrip.self) }
}

struct TripListPreviews: PreviewProvider {
  static var previews: some View { TripList().modelContainer(for: ActiveTrip.self) }
}

#if DEBUG
  func makeDebugContainer() -> ModelContainer {
    try! ModelContainer(for: ActiveTrip.self)
  }
#endif

extension View {
  func keepingTrips() -> some View {
    modelContainer(for: ActiveTrip.self)  // expect: container-without-plan
  }
}

struct TripList: View {
  var body: some View {
    Text("Trips").modelContainer(for: ActiveTrip.self)  // expect: container-without-plan
  }
}
