import Foundation
import RegexBuilder
import SwiftData

enum Priority: String, Codable { case low, high }

/// Public, and what it stores is not.
@Model public final class Expense {
  var title: String = ""
  var priority: Priority = Priority.low
  var place: Place?
  let code: String = "a"
  let origin: String = "b"
  let owner: String = "c"
  private(set) var isSeen: Bool = false
  private(set) var count: Int = 0
  private(set) var note: String = ""
  // What is stored of the status is its text.
  private var statusRaw: String = Status.open.rawValue
  @Transient var cache: [String: Any] = [:]
  @Transient var failure: Error?
  @Transient lazy var formatter = DateFormatter()
  @Transient var anchor: Anchor? = nil

  init() {}

  public var label: String { title }
}
