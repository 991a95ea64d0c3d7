import Foundation

extension Expense {
  enum Status: String, Codable {
    case open, closed

    /// What people read.
    var title: String { rawValue.capitalized }
  }

  struct Place: Codable {
    var name: String = ""
  }

  var status: Status { Status(rawValue: statusText) ?? .open }

  private var statusText: String { title }
}
