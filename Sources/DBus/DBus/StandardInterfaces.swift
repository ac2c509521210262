/// The interfaces that the connection serves for every object, as the specification describes them.
///
/// Source: D-Bus Specification, "Standard Interfaces".
public enum StandardInterfaces {
  /// The Peer interface, served on every path, even where there is no object.
  public static let peer = InterfaceDescription(
    "org.freedesktop.DBus.Peer",
    methods: [
      MethodDescription("Ping"),
      MethodDescription("GetMachineId", outputs: [Argument("machine_uuid", "s")]),
    ])

  /// The Introspectable interface, served for every object and on every path above one.
  public static let introspectable = InterfaceDescription(
    "org.freedesktop.DBus.Introspectable",
    methods: [MethodDescription("Introspect", outputs: [Argument("xml_data", "s")])])

  /// The Properties interface, served for every object.
  public static let properties = InterfaceDescription(
    "org.freedesktop.DBus.Properties",
    methods: [
      MethodDescription(
        "Get", inputs: [Argument("interface_name", "s"), Argument("property_name", "s")], outputs: [Argument("value", "v")]),
      MethodDescription(
        "Set", inputs: [Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v")]),
      MethodDescription("GetAll", inputs: [Argument("interface_name", "s")], outputs: [Argument("props", "a{sv}")]),
    ],
    signals: [
      SignalDescription(
        "PropertiesChanged",
        arguments: [
          Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"), Argument("invalidated_properties", "as"),
        ])
    ])

  /// The ObjectManager interface, served at the path that an ``ObjectSource`` gives.
  public static let objectManager = InterfaceDescription(
    "org.freedesktop.DBus.ObjectManager",
    methods: [
      MethodDescription("GetManagedObjects", outputs: [Argument("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")])
    ],
    signals: [
      SignalDescription(
        "InterfacesAdded",
        arguments: [Argument("object_path", "o"), Argument("interfaces_and_properties", "a{sa{sv}}")]),
      SignalDescription("InterfacesRemoved", arguments: [Argument("object_path", "o"), Argument("interfaces", "as")]),
    ])

  /// Returns the standard interfaces of an object.
  static func ofObject(isObjectManager: Bool) -> [InterfaceDescription] {
    [introspectable, peer, properties] + (isObjectManager ? [objectManager] : [])
  }
}
