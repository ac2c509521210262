import Platform

/// A cache of values decoded from a store, by their encoded form. Thousands of trees share a few routes, and decoding
/// takes most of the time of restoring a tree.
///
/// The cache is small, and is emptied completely when it is full.
final class DecodedTexts<Value: Decodable & Sendable>: Sendable {
  private static var capacity: Int { 64 }
  private static var longest: Int { 256 }

  private let values = Lock<[String: Value]>([:])

  /// Returns the decoded value of a string.
  ///
  /// - Throws: `DecodingError` if the string cannot be decoded.
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
