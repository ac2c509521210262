/// The options of `coordinatorctl send`.
public struct SendOptions: Sendable, Hashable {
  /// The expected state of the flow tree.
  public var expected: SendGuard
  /// The request key, which makes the call safe to repeat; nil for none.
  public var request: String?
  /// Whether missing fields get the values that the screen proposes.
  public var fillsIn: Bool
  /// Whether to wait until the flow can take the next event.
  public var waits: Bool
  /// The maximum time to wait, in microseconds; nil for no limit.
  public var limit: UInt64?

  /// Creates options with the given values.
  public init(
    expected: SendGuard = SendGuard(), request: String? = nil, fillsIn: Bool = false, waits: Bool = false, limit: UInt64? = nil
  ) {
    self.expected = expected
    self.request = request
    self.fillsIn = fillsIn
    self.waits = waits
    self.limit = limit
  }
}
