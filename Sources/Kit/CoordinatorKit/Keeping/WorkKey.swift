/// Names a piece of work among those of its coordinator, so that it can be replaced, queried, or cancelled alone.
///
/// ```swift
/// extension WorkKey {
///   static let scan: WorkKey = "scan"
/// }
///
/// try startWork(.scan, key: .scan)
/// ```
public struct WorkKey: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
  /// The name; unique among the work of a coordinator.
  public var name: String

  /// Creates a key.
  ///
  /// - Parameter name: the name; unique among the work of a coordinator.
  public init(_ name: String) { self.name = name }

  /// Creates a key from a literal.
  public init(stringLiteral name: String) { self.name = name }

  /// Decodes the name.
  public init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
