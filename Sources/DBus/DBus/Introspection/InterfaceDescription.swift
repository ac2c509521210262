/// An interface: methods, signals and properties under one name.
///
/// Source: D-Bus Specification, "Introspection Data Format".
public struct InterfaceDescription: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// Its methods, in the order to show them.
  public var methods: [MethodDescription]
  /// Its signals, in the order to show them.
  public var signals: [SignalDescription]
  /// Its properties, in the order to show them.
  public var properties: [PropertyDescription]
  /// Remarks on it.
  public var annotations: [Annotation]

  /// Describes an interface.
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

  /// The method of that name.
  public func method(_ name: String) -> MethodDescription? { methods.first { $0.name == name } }

  /// The signal of that name.
  public func signal(_ name: String) -> SignalDescription? { signals.first { $0.name == name } }

  /// The property of that name.
  public func property(_ name: String) -> PropertyDescription? { properties.first { $0.name == name } }
}
