public enum DisplayTimezoneMode: String, Codable {
    case current, home, custom

    static func fromLegacyString(_ text: String) -> DisplayTimezoneMode {
        DisplayTimezoneMode(rawValue: text) ?? .current
    }
}
