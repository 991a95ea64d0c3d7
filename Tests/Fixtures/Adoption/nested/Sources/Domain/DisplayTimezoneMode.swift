public enum DisplayTimezoneMode: String, Codable {
    case current, home, custom
}
