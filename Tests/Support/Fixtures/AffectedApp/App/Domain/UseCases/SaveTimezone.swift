struct SaveTimezoneUseCase {
  let repository: any ProfileRepository

  func callAsFunction(_ profile: UserProfile, zone: String) async throws {
    var profile = profile
    profile.homeTimezone = zone  // not profile.displayTimezoneMode
    try await repository.save(profile, homeTimezone: zone)
  }
}
