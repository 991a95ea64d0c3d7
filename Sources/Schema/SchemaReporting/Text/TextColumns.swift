/// Columns of text, each as wide as its widest cell, separated by two spaces.
///
/// On a terminal that is too narrow, cells that do not fit continue on further lines.
package struct TextColumns: Sendable {
  package let widths: [Int]
  /// The indices of the columns in groups, each of which fits in a line. Groups are printed below each other, and each
  /// begins with the first column.
  package let groups: [[Int]]
  private let firstRightAligned: Int?
  /// The maximum width of a line without the indent; nil for any length.
  private let room: Int?

  /// The minimum width at which a sentence is readable next to other cells.
  private static let leastSentence = 28
  private static let step = 4

  /// - Parameter rows: Cells, the same number in each row.
  package init(
    _ rows: [[String]], rightAlignedFrom column: Int? = nil, on terminal: TerminalText = .plain,
    indent: Int = 0
  ) {
    var widths = (rows.first ?? []).indices.map { column in
      rows.flatMap { Self.sentences($0[column]) }.map(\.width).max() ?? 0
    }
    let room = terminal.width.map { $0 - indent }
    if let room, column != nil, let widest = widths.dropFirst().max() {
      widths[0] = min(widths[0], max(8, room - 2 - widest))
    }
    var groups = [widths.isEmpty ? [] : [0]]
    var taken = widths.first ?? 0
    for place in widths.indices.dropFirst() {
      if let room, taken > widths[0], taken + 2 + widths[place] > room {
        groups.append([0])
        taken = widths[0]
      }
      groups[groups.count - 1].append(place)
      taken += 2 + widths[place]
    }
    self.widths = widths
    self.groups = groups
    self.room = room
    firstRightAligned = column
  }

  /// The cells of a row, each padded with spaces, or cut if the column is narrower.
  package func padded(_ row: [String]) -> [String] {
    zip(row, widths).enumerated().map { column, cell in
      let text = cell.0.shortened(to: cell.1)
      let space = String(repeating: " ", count: cell.1 - text.width)
      return column >= firstRightAligned ?? .max ? space + text : text + space
    }
  }

  /// A row that ends with one or more sentences, each on a line. A long sentence is broken between words, next to the
  /// other cells or below them if there is too little space.
  package func lines(_ row: [String]) -> [String] {
    guard let last = row.last else { return [] }
    let padded = padded(row)
    let beside = Array(padded.dropLast())
    let taken = beside.reduce(0) { $0 + $1.width + 2 }
    let sentences = Self.sentences(last)
    let room = room ?? .max
    func line(_ cells: [String]) -> String { cells.joined(separator: "  ") }
    let isShort = sentences.allSatisfy { taken + $0.width <= room }
    if isShort || beside.isEmpty
      || taken + min(Self.leastSentence, widths[widths.count - 1]) <= room
    {
      let parts = sentences.flatMap { $0.wrapped(to: room - taken) }
      let space = String(repeating: " ", count: taken)
      return [line(beside + [parts[0]])] + parts.dropFirst().map { space + $0 }
    }
    // As many columns as fit, the same number in each row.
    var count = 1
    while count < beside.count, widths[...count].reduce(-2, { $0 + $1 + 2 }) <= room { count += 1 }
    let space = String(repeating: " ", count: Self.step)
    var below = sentences
    below[0] = line((row[count..<(row.count - 1)] + [below[0]]).filter { !$0.isEmpty })
    return [line(padded[..<(count - 1)] + [row[count - 1]])]
      + below.flatMap { $0.wrapped(to: max(8, room - Self.step)) }.map { space + $0 }
  }

  private static func sentences(_ cell: String) -> [String] {
    cell.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
