import CoordinatorKit
import Platform

/// The source of a flow's data. It is injected into coordinators rather than global, so that tests can substitute it.
///
/// ```swift
/// let kanji = DataSource<KanjiDictionary>.json(Array(json.utf8))
/// let catalogue = try FlowCatalogue.builtIn(kanji: kanji)
/// ```
public struct DataSource<Value: Sendable>: Sendable {
  private let read: @Sendable () throws -> Value

  /// Creates a source that reads its data on each call.
  ///
  /// - Parameter read: reads the data. Called in handlers, so it must be fast.
  public init(_ read: @escaping @Sendable () throws -> Value) { self.read = read }

  /// Returns a source of existing data.
  ///
  /// - Parameter value: the data.
  /// - Returns: the source.
  public static func given(_ value: Value) -> DataSource { DataSource { value } }

  /// Returns the data.
  ///
  /// - Returns: the data, which must not change while the daemon runs.
  /// - Throws: the error that prevented the data from being read.
  public func load() throws -> Value { try read() }
}

extension DataSource where Value: Decodable {
  /// Returns a source of JSON, which is decoded on first use and then kept. The data that the package ships is part of
  /// the binary, so that an installed binary finds it.
  ///
  /// - Parameter json: the JSON in UTF-8.
  /// - Returns: the source, which throws `DecodingError` if the JSON cannot be decoded.
  public static func json(_ json: @escaping @autoclosure @Sendable () -> [UInt8]) -> DataSource {
    let decoded = Lock<Value?>(nil)
    return DataSource {
      try decoded.withLock { decoded in
        if let decoded { return decoded }
        let value = try JSONText.decode(Value.self, from: json())
        decoded = value
        return value
      }
    }
  }
}
