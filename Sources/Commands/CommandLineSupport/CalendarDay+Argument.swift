internal import ArgumentParser
internal import Foundation
package import SchemaModel

extension CalendarDay: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  /// The date in the computer's time zone.
  package static var today: CalendarDay {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day], from: Date())
    return CalendarDay(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
      ?? CalendarDay(year: 1970, month: 1, day: 1)!
  }
}
