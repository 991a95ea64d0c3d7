import SwiftData

struct ProfileLocalDataSource {
  let context: ModelContext

  func load() throws -> UserProfile {
    let profiles = try context.fetch(FetchDescriptor<ActiveUserProfileModel>(
      sortBy: [SortDescriptor(\.homeTimezone), SortDescriptor(\ActiveUserProfileModel.name)]))
    guard let first = profiles.first else {
      return UserProfile(id: "1", name: "", displayTimezoneMode: nil)
    }
    return first.toEntity()
  }

  func reset() {
    context.insert(
      ActiveUserProfileModel(
        id: "1",
        homeTimezone: nil,
        displayTimezoneMode: "current"
      ))
    let other: UserProfile = .init(id: "2", name: "b", homeTimezone: nil, displayTimezoneMode: nil)
    print("UserProfile(homeTimezone:) .homeTimezone \(other.homeTimezone ?? "none")")
  }
}
