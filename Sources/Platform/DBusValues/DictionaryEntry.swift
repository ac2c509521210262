/// An entry of a dictionary value.
public struct DictionaryEntry: Sendable, Hashable {
  /// The key, a value of a basic type: dictionary keys are never containers.
  public var key: Value
  /// The value, of any type.
  public var value: Value

  /// Creates an entry.
  public init(key: Value, value: Value) {
    self.key = key
    self.value = value
  }
}

extension DictionaryEntry {
  /// Creates an entry of an `a{sv}`.
  ///
  /// - Parameters:
  ///   - name: the key.
  ///   - content: the value, which is put in a variant.
  public init(_ name: String, _ content: Value) { self.init(key: .string(name), value: .variant(content)) }
}

extension [DictionaryEntry] {
  /// Appends an entry of an `a{sv}` if it has a value.
  public mutating func add(_ name: String, _ content: Value?) {
    if let content { append(DictionaryEntry(name, content)) }
  }
}
