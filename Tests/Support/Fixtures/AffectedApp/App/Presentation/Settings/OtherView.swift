import SwiftUI

// homeTimezone and UserProfile in a comment only.
struct OtherView: View {
  var body: some View { Text("homeTimezone").help("UserProfile(") }
}
