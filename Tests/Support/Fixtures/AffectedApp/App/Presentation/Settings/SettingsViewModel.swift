import Observation

@Observable final class SettingsViewModel {
  var profile: UserProfile?
  var zone: String { profile?.homeTimezone ?? "" }
  /* profile.homeTimezone was here */
}
