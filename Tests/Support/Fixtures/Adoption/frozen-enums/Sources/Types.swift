enum JobPriorityV1: Int, Codable {
  case low, high
}

enum JobPriority: Int, Codable {
  case low, high, urgent
}

enum JobState: String, Codable {
  case open, done
}

enum Level: Int, Codable {
  case one = 1, two, three
}

struct JobStep: Codable {
  var text: String
}
