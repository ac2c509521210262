/// An object as introspection shows it: its interfaces and the names of what is right below it.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct NodeDescription: Sendable, Hashable {
  /// The object's path; nil where it is not written down, as in most answers to `Introspect`.
  public var path: ObjectPath?
  /// Its interfaces, in the order to show them.
  public var interfaces: [InterfaceDescription]
  /// The objects below it, each by its path from here: one element, normally.
  public var childNames: [String]

  /// Describes an object.
  public init(path: ObjectPath? = nil, interfaces: [InterfaceDescription] = [], childNames: [String] = []) {
    self.path = path
    self.interfaces = interfaces
    self.childNames = childNames
  }
}
