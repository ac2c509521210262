import GRDB

extension Database {
  /// Runs a statement that is compiled once for the connection.
  func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []) throws {
    try cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
  }

  /// The rows that a statement gives, which is compiled once for the connection.
  func rows(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  /// Hands the rows over one by one that a statement gives, which is compiled once for the connection. Each is good for one call only.
  func forEachRow(
    _ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = [], _ body: (Row) throws -> Void
  ) throws {
    try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments)).forEach(body)
  }
}

extension UInt64 {
  /// The number as SQLite keeps it: no counter of ours gets beyond 2^63.
  var column: Int64 { Int64(clamping: self) }
}

/// Columns by their places. That there are as many as are asked for is up to the statement, not to the file.
extension Row {
  /// A column that cannot hold what we write into it: the database was changed by somebody else.
  struct Unexpected: Error, CustomStringConvertible {
    let column: String
    var description: String { "the column \(column) holds something unexpected" }
  }

  func unexpected(_ column: Int) -> Unexpected { Unexpected(column: columnNames.dropFirst(column).first ?? "\(column)") }

  func text(_ column: Int) throws -> String {
    guard let text = optionalText(column) else { throw unexpected(column) }
    return text
  }

  func optionalText(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }

  func number(_ column: Int) throws -> UInt64 {
    guard let number = optionalNumber(column) else { throw unexpected(column) }
    return number
  }

  func optionalNumber(_ column: Int) -> UInt64? {
    Int64.fromDatabaseValue(self[column]).flatMap { UInt64(exactly: $0) }
  }

  func raw<Value: RawRepresentable>(_ type: Value.Type, _ column: Int) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try text(column)) else { throw unexpected(column) }
    return value
  }
}
