import FoundationEssentials
import Locking

/// Where a flow gets its data from. Handed to its coordinators, never global, so that a test hands in another.
public struct DataSource<Value: Sendable>: Sendable {
  private let read: @Sendable () throws -> Value

  /// A source that reads its data each time it is asked.
  ///
  /// - Parameter read: reads the data. Called in handlers, so it must not take long.
  public init(_ read: @escaping @Sendable () throws -> Value) { self.read = read }

  /// A source of data that is there already.
  ///
  /// - Parameter value: the data.
  /// - Returns: the source.
  public static func given(_ value: Value) -> DataSource { DataSource { value } }

  /// The data.
  ///
  /// - Returns: the data; the same for as long as the daemon runs.
  /// - Throws: what kept the data from being read.
  public func load() throws -> Value { try read() }
}

extension DataSource where Value: Decodable {
  /// JSON, decoded when it is first asked for, and then kept. What the package ships is part of the binary, so that an installed one
  /// finds it.
  ///
  /// - Parameter json: the text, in UTF-8.
  /// - Returns: the source; it throws `DecodingError` if the text is not what it should be.
  public static func json(_ json: @escaping @autoclosure @Sendable () -> [UInt8]) -> DataSource {
    let decoded = Lock<Value?>(nil)
    return DataSource {
      try decoded.withLock { decoded in
        if let decoded { return decoded }
        let value = try JSONDecoder().decode(Value.self, from: Data(json()))
        decoded = value
        return value
      }
    }
  }
}
