import Testing

@Test func profileHasZone() {
  let profile = UserProfile(id: "", name: "", homeTimezone: "Europe/Zurich", displayTimezoneMode: nil)
  #expect(profile.homeTimezone == "Europe/Zurich")
}
