/// The description of an interface: its methods, signals and properties.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct InterfaceDescription: Sendable, Hashable {
  /// The interface's name.
  public var name: String
  /// Its methods, in introspection order.
  public var methods: [MethodDescription]
  /// Its signals, in introspection order.
  public var signals: [SignalDescription]
  /// Its properties, in introspection order.
  public var properties: [PropertyDescription]
  /// Its annotations.
  public var annotations: [Annotation]

  /// Creates the description of an interface.
  public init(
    _ name: String, methods: [MethodDescription] = [], signals: [SignalDescription] = [], properties: [PropertyDescription] = [],
    annotations: [Annotation] = []
  ) {
    self.name = name
    self.methods = methods
    self.signals = signals
    self.properties = properties
    self.annotations = annotations
  }

  /// Returns the method with the given name; nil if there is none.
  public func method(_ name: String) -> MethodDescription? { methods.first { $0.name == name } }

  /// Returns the signal with the given name; nil if there is none.
  public func signal(_ name: String) -> SignalDescription? { signals.first { $0.name == name } }

  /// Returns the property with the given name; nil if there is none.
  public func property(_ name: String) -> PropertyDescription? { properties.first { $0.name == name } }
}
