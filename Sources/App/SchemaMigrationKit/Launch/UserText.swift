internal import Foundation

/// A message for the app's users. The English message is the key of its translations, which are in the app's bundle in
/// the table `SchemaMigrationKit`. docs/SchemaMigrationKit.xcstrings lists all keys.
enum UserText: String, CaseIterable, Sendable {
  case newer = "Your data was saved by a newer version of this app."
  case retired = "Your data was saved by an old version of this app."
  case unknown = "This version of the app cannot read your data."
  case damaged = "Your data is damaged."
  case foreign = "The data file does not belong to this app."
  case noSpace = "There is not enough free space for a backup of your data."
  case noBackup = "Your data could not be backed up."
  case cannotOpen = "Your data could not be opened."
  case rowsLost = "The update would have lost some of your data."
  case interrupted = "The last update of your data was interrupted."
  case gaveUp = "The update of your data failed several times."
  case busy = "Your data is in use by another process."
  case cannotBegin = "The update of your data could not begin."
  case noData = "No data was found."
  case changed = "Your data changed during the backup."
  case notPermitted = "The app is not allowed to access its data."
  case backupMissing = "The backup no longer exists."
  case backupIncomplete = "The backup is incomplete."
  case backupAltered = "The backup was changed after it was made."
  case restoreInterrupted = "An interrupted restore of your data cannot be continued."
  case locked = "Your data is locked until this device is unlocked."
  case noTime = "The update of your data is paused."
  case notMoved = "Your data could not be moved to its new location."
  case twoPlaces = "Your data is in two places."
  case noSpaceToMove = "There is not enough free space to move your data."
  case failed = "The app could not access its data."

  case unchanged = "Your data is unchanged."
  case restored = "Your data is as it was before the update."
  case left = "The update was not completed."
  case backupRestored = "The backup was restored."
  case restoreUnfinished = "The restore was not completed."

  case updateApp = "Update the app, then try again."
  /// The argument is a release, such as "3.2".
  case openWithRelease = "Open your data with version %@ of this app first."
  case contactDeveloper = "Contact the developer of this app."
  case tryAgain = "Try again in a moment."
  case unlock = "Unlock this device."
  case openApp = "Open the app, and keep it open."
  case freeSpace = "Free up some space on this device, then try again."
  /// The argument is a size, such as "12 MB".
  case freeSomeSpace = "Free up %@ on this device, then try again."

  func localized(in bundle: Bundle = .main) -> String {
    bundle.localizedString(forKey: rawValue, value: rawValue, table: "SchemaMigrationKit")
  }

  /// The advice to free the missing space, in bytes; without an amount if that is unknown.
  static func freeing(needed: Int64?, available: Int64?) -> String {
    guard let needed, let available, needed > available else { return freeSpace.localized() }
    let size = ByteCountFormatter.string(fromByteCount: needed - available, countStyle: .file)
    return String(format: freeSomeSpace.localized(), size)
  }
}
