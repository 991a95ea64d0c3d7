/// The mode as versions 1 to 8 stored it: `current`, `home` or `custom`.
///
/// The words are spelled out: they stay what they were, whatever becomes of the raw values.
nonisolated extension DisplayTimezoneMode {
  /// The mode that a stored word means; for any other word `current`, which is always safe to show.
  public static func fromLegacyString(_ text: String) -> DisplayTimezoneMode {
    switch text {
    case "home": .home
    case "custom": .custom
    default: .current
    }
  }

  /// The word for the mode in versions 1 to 8.
  public func toLegacyString() -> String {
    switch self {
    case .current: "current"
    case .home: "home"
    case .custom: "custom"
    }
  }
}
