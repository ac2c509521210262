/// An answer that takes time to make, as of one moment.
public struct LargeAnswer: Sendable {
  /// The size in bytes from which an answer is large. Making a smaller one takes about as long as carrying out a call.
  public static let size = 32_768

  /// Identifies the request, regardless of the caller, so that the answer can be cached; empty for an answer that is not
  /// cached.
  public let key: String
  /// A number that changes whenever the answer would change.
  public let stamp: UInt64
  /// Makes the results. Called on a thread other than the loop's.
  public let make: @Sendable () throws(DBusError) -> [Value]

  /// Creates the description of an answer.
  public init(key: String, stamp: UInt64, make: @escaping @Sendable () throws(DBusError) -> [Value]) {
    self.key = key
    self.stamp = stamp
    self.make = make
  }
}

/// The value of a property that takes time to make, as of one moment.
public struct LargeProperty: Sendable {
  /// A number that changes whenever any property of the object changes.
  public let stamp: UInt64
  /// Makes the value. Called on a thread other than the loop's.
  public let make: @Sendable () -> Value

  /// Creates the description of a value.
  public init(stamp: UInt64, make: @escaping @Sendable () -> Value) {
    self.stamp = stamp
    self.make = make
  }
}
