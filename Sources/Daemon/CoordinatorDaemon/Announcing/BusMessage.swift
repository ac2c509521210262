import DBus

/// A message that announces a change on the bus.
enum BusMessage: Sendable, Hashable {
  /// A signal of the contract.
  case signal(ObjectPath, interface: String, member: String, [Value])
  /// `InterfacesAdded` for an object that exists from now on.
  case added(ObjectPath)
  /// `InterfacesRemoved` for an object with one interface.
  case removed(ObjectPath, interface: String)
  /// `PropertiesChanged` for one property.
  case changed(String, interface: String, ObjectPath)
}
