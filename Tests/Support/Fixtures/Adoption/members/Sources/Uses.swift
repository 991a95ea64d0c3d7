import Foundation

/// Uses what the app has besides stored properties.
@MainActor func useTrips() -> [Any] {
  let trip = Trip.through(["Rome", "Bern", Trip.untitled])
  let other = Trip()
  trip.title = "Both"
  trip[0].move(to: other)
  let titled: any Titled = trip
  let state: Trip.State = .done
  let stop = Stop(place: "Bonn")
  let pass = Pass(code: "a")
  let level = SchemaV2.Pass.Level.first.title
  return [
    "\(trip)", trip.length.words, titled.title, state, stop, [trip, other].sorted(), Trip.count,
    Trip.Length.long, SchemaV2.Trip.State.allCases, trip.close(),
    Set([stop]), pass, level,
  ]
}
