/// A remark on an interface or one of its parts, for machines.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct Annotation: Sendable, Hashable {
  /// Says whether a method has no reply: `true` or `false`.
  public static let noReply = "org.freedesktop.DBus.Method.NoReply"
  /// Says whether something should no longer be used: `true` or `false`.
  public static let deprecated = "org.freedesktop.DBus.Deprecated"
  /// Says how changes of a property are told. Written and read as `PropertyDescription.emitsChanged`.
  public static let emitsChangedSignal = "org.freedesktop.DBus.Property.EmitsChangedSignal"

  /// What the remark is about, formed like an interface.
  public var name: String
  /// What it says.
  public var value: String

  /// Makes a remark.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
