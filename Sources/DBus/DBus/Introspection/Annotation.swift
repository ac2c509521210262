/// A machine-readable annotation of an interface or one of its parts.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct Annotation: Sendable, Hashable {
  /// The name of the annotation that says whether a method has no reply: `true` or `false`.
  public static let noReply = "org.freedesktop.DBus.Method.NoReply"
  /// The name of the annotation that says whether something is deprecated: `true` or `false`.
  public static let deprecated = "org.freedesktop.DBus.Deprecated"
  /// The name of the annotation that says how changes of a property are reported. Written and parsed as
  /// `PropertyDescription.emitsChanged`.
  public static let emitsChangedSignal = "org.freedesktop.DBus.Property.EmitsChangedSignal"

  /// The annotation's name, in the form of an interface name.
  public var name: String
  /// The annotation's value.
  public var value: String

  /// Creates an annotation.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
