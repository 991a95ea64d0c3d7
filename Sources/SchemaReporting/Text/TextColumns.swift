/// Columns of text, each as wide as its widest cell, with two spaces between them.
package struct TextColumns: Sendable {
  /// How wide each column is, in characters.
  package let widths: [Int]
  /// The first column whose cells end at its right edge, as numbers do; nil where none do.
  private let firstRightAligned: Int?

  /// - Parameters:
  ///   - rows: Cells, as many in each row.
  ///   - column: The first column whose cells end at its right edge.
  package init(_ rows: [[String]], rightAlignedFrom column: Int? = nil) {
    widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    firstRightAligned = column
  }

  /// The cells of a row, each filled up with spaces.
  package func padded(_ row: [String]) -> [String] {
    zip(row, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column >= firstRightAligned ?? .max ? space + cell.0 : cell.0 + space
    }
  }

  /// A row in which nothing follows the last cell.
  package func line(_ row: [String]) -> String {
    (padded(row).dropLast() + row.suffix(1)).joined(separator: "  ")
  }
}
