/// The description of an object for introspection: its interfaces and the names of its children.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct NodeDescription: Sendable, Hashable {
  /// The object's path; nil if it is not included, as in most answers to `Introspect`.
  public var path: ObjectPath?
  /// Its interfaces, in order.
  public var interfaces: [InterfaceDescription]
  /// The names of the objects below it: their relative paths, normally of one element.
  public var childNames: [String]

  /// Creates the description of an object.
  public init(path: ObjectPath? = nil, interfaces: [InterfaceDescription] = [], childNames: [String] = []) {
    self.path = path
    self.interfaces = interfaces
    self.childNames = childNames
  }
}
