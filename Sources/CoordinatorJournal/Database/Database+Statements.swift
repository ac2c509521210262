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
}

extension UInt64 {
  /// The number as SQLite keeps it: no counter of ours gets beyond 2^63.
  var column: Int64 { Int64(clamping: self) }
}

extension Row {
  /// A column that cannot hold what we write into it: the database was changed by somebody else.
  struct Unexpected: Error, CustomStringConvertible {
    let column: String
    var description: String { "the column \(column) holds something unexpected" }
  }

  func text(_ column: String) throws -> String {
    guard let text = String.fromDatabaseValue(self[column]) else { throw Unexpected(column: column) }
    return text
  }

  func optionalText(_ column: String) -> String? { String.fromDatabaseValue(self[column]) }

  func number(_ column: String) throws -> UInt64 {
    guard let number = Int64.fromDatabaseValue(self[column]), number >= 0 else { throw Unexpected(column: column) }
    return UInt64(number)
  }

  func optionalNumber(_ column: String) -> UInt64? {
    Int64.fromDatabaseValue(self[column]).flatMap { UInt64(exactly: $0) }
  }

  func raw<Value: RawRepresentable>(_ type: Value.Type, _ column: String) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try text(column)) else { throw Unexpected(column: column) }
    return value
  }
}
