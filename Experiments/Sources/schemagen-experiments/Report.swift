/// All findings of one run.
struct Report: Codable {
  var format = 1
  var system: System
  var seconds: Double
  var experiments: [Finding]
}
