/// The answer to a call that takes time to make, as it stands at one moment.
public struct LargeAnswer: Sendable {
  /// From how many bytes on an answer is large: to make a smaller one takes about as long as to carry out a call.
  public static let size = 32_768

  /// What is answered: who asks for the same, and of whom it is asked, does not count.
  public let key: String
  /// Another one whenever something else would be answered.
  public let stamp: UInt64
  /// Makes the results, on a thread of its own.
  public let make: @Sendable () throws(DBusError) -> [Value]

  /// Describes an answer.
  public init(key: String, stamp: UInt64, make: @escaping @Sendable () throws(DBusError) -> [Value]) {
    self.key = key
    self.stamp = stamp
    self.make = make
  }
}

/// The value of a property that takes time to make, as it stands at one moment.
public struct LargeProperty: Sendable {
  /// Another one whenever any property of the object has another value.
  public let stamp: UInt64
  /// Makes the value, on a thread of its own.
  public let make: @Sendable () -> Value

  /// Describes a value.
  public init(stamp: UInt64, make: @escaping @Sendable () -> Value) {
    self.stamp = stamp
    self.make = make
  }
}
