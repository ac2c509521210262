/// The number of columns and rows; never negative.
struct Size: Sendable, Hashable {
  var columns: Int
  var rows: Int

  init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }
}

/// A position in a grid of cells, counted from 0.
struct Position: Sendable, Hashable {
  var column: Int
  var row: Int
}

/// A rectangle in a grid of cells.
struct Area: Sendable, Hashable {
  var column: Int
  var row: Int
  var size: Size

  init(column: Int = 0, row: Int = 0, _ size: Size) {
    self.column = column
    self.row = row
    self.size = size
  }

  init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(column: column, row: row, Size(columns: columns, rows: rows))
  }

  var columns: Int { size.columns }
  var rows: Int { size.rows }
  var lastRow: Int { row + rows - 1 }
  var lastColumn: Int { column + columns - 1 }

  /// Returns the area reduced by a number of columns and rows on each side.
  func inset(columns: Int, rows: Int) -> Area {
    Area(
      column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }

  func contains(_ position: Position) -> Bool {
    (column...max(lastColumn, column)).contains(position.column) && (row...max(lastRow, row)).contains(position.row)
      && columns > 0 && rows > 0
  }
}
