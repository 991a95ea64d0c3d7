import Foundation
import SwiftData

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Pass.self] }

  @Model final class Trip: CustomStringConvertible, Titled {
    /// Stored, and generated from now on.
    enum State: String, Codable, CaseIterable {
      case planned, done
    }

    /// Of the app alone.
    enum Length: Int {
      case short, long

      var words: String { self == .short ? "short" : "long" }
    }

    typealias Name = String

    static let untitled = "A trip"
    static let count = { 0 }()
    private static let separator = ", "

    var name: String
    var start: Date?
    var stateText: String = State.planned.rawValue
    var state: State?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    @Transient var isOpen: Bool = false

    init(name: Name = Trip.untitled) {
      self.name = name
    }

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

    #if DEBUG
    func dump() -> String { "\(name): \(stops.count)" }
    #endif
  }

  @Model final class Stop: Identifiable, Hashable {
    var id: UUID
    var place: String
    var trip: Trip?

    init(id: UUID = UUID(), place: String, trip: Trip? = nil) {
      self.id = id
      self.place = place
      self.trip = trip
    }

    func move(to other: Trip) {
      trip = other
      other.touch()
    }
  }

  @Model final class Pass {
    enum Level: Int, Codable, Sendable, Titled {
      case one = 1, two

      static let first = Self.one

      var title: String {
        get { "Level \(rawValue)" }
        set {}
      }
    }

    var code: String
    var level: Level?

    init(code: String, level: Level? = nil) {
      self.code = code
      self.level = level
    }
  }
}

/// What has a title.
protocol Titled {
  var title: String { get set }
}

/// Before trips that are done.
private let mark = "✓ "

private extension String {
  var shortened: String { count > limit ? prefix(limit) + "…" : self }
}

fileprivate let limit = 20

extension Trip: Comparable {
  static func < (one: Trip, other: Trip) -> Bool { one.name < other.name }

  func close() { touch() }
}
