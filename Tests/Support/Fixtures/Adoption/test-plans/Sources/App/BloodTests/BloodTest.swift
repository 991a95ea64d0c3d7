import SwiftData

/// The app is about tests; no test of the app is here.
@Model final class BloodTest {
  var value: Double = 0
  init() {}
}
