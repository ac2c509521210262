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
