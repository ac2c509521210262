/// How much of a request is taken before it is refused.
public struct RequestLimits: Sendable, Hashable {
  /// The longest request line, in bytes.
  public var line = 4 * 1024
  /// The request line and all header fields, in bytes.
  public var head = 16 * 1024
  /// How many header fields there may be.
  public var fields = 64
  /// What may be sent along, in bytes.
  public var body = 256 * 1024

  /// The limits that ship.
  public init() {}
}
