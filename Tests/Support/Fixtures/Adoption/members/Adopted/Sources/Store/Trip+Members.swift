// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Trip: CustomStringConvertible, Titled {
  typealias State = TripState

  /// Of the app alone.
  enum Length: Int {
    case short, long

    var words: String { self == .short ? "short" : "long" }
  }

  typealias Name = String

  static let untitled = "A trip"

  static let count = { 0 }()

  private static let separator = ", "

  /// Makes a trip of places.
  ///
  /// - Parameter places: One stop each.
  @MainActor
  static func through(_ places: [String]) -> Trip {
    let trip = Trip(name: places.joined(separator: separator))
    trip.stops = places.map { SchemaV2.Stop(place: $0) }
    trip.state = State.planned
    return trip
  }

  // MARK: What views show

  /// How long it is.
  var length: Length { stops.count > 2 ? .long : .short }

  var description: String { lead + name.shortened }

  private var lead: String { state == Trip.State.done ? mark : "" }

  var title: Name {
    get { name }
    set {
      name = newValue
      touch()
    }
  }

  subscript(position: Int) -> Stop { stops[position] }

  fileprivate func touch() { isOpen.toggle() }
}
