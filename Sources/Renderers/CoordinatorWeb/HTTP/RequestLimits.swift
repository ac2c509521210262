/// The size limits of a request.
public struct RequestLimits: Sendable, Hashable {
  /// The maximum length of the request line, in bytes.
  public var line = 4 * 1024
  /// The maximum length of the request line and all header fields, in bytes.
  public var head = 16 * 1024
  /// The maximum number of header fields.
  public var fields = 64
  /// The maximum length of the body, in bytes.
  public var body = 256 * 1024

  /// Creates the default limits.
  public init() {}
}
