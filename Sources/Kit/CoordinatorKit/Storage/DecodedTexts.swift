import Locking

/// Values that were decoded from a store, by their texts: thousands of trees have a few routes among them, and decoding is most of what it
/// takes to take a tree up again.
///
/// Holds little, and forgets all of it when that is full.
final class DecodedTexts<Value: Decodable & Sendable>: Sendable {
  private static var capacity: Int { 64 }
  private static var longest: Int { 256 }

  private let values = Lock<[String: Value]>([:])

  /// The value that a text stands for.
  ///
  /// - Throws: `DecodingError` if it stands for none.
  func value(of text: String) throws -> Value {
    if let known = values.withLock({ $0[text] }) { return known }
    let value = try StoredText.decode(Value.self, from: text)
    guard text.utf8.count <= Self.longest else { return value }
    values.withLock { values in
      if values.count >= Self.capacity { values = [:] }
      values[text] = value
    }
    return value
  }
}
