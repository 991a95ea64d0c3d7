import SwiftUI

struct SettingsView: View {
  @Bindable var model: SettingsViewModel

  var body: some View {
    TextField("Zone", text: $model.profile.homeTimezone)
    ForEach(model.zones, id: \.`displayTimezoneMode`) { Text($0) }
  }
}
