/// One entry of a dictionary value.
public struct DictionaryEntry: Sendable, Hashable {
  /// A value of a basic type: dictionary keys are never containers.
  public var key: Value
  /// A value of any type.
  public var value: Value

  /// Pairs a key with its value.
  public init(key: Value, value: Value) {
    self.key = key
    self.value = value
  }
}
