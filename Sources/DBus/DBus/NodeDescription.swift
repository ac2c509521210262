import Platform

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

extension NodeDescription {
  /// The description in the form in which `Introspect` returns it: an XML document with its DOCTYPE.
  ///
  /// Source: D-Bus Specification, "Introspection Data Format".
  public var xml: String {
    var writer = IntrospectionWriter()
    writer.add(self)
    return writer.text
  }
}

/// Writes introspection data, one element per line.
private struct IntrospectionWriter {
  private(set) var text = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """
  private var level = 0

  mutating func add(_ node: NodeDescription) {
    element("node", [("name", node.path?.string)]) {
      for interface in node.interfaces { $0.add(interface) }
      for name in node.childNames { $0.element("node", [("name", name)]) }
    }
  }

  private mutating func add(_ interface: InterfaceDescription) {
    let changes = PropertyDescription.EmitsChanged(interface.annotations) ?? .true
    element("interface", [("name", interface.name)]) {
      for method in interface.methods {
        $0.element("method", [("name", method.name)]) {
          for argument in method.inputs { $0.add(argument, direction: "in") }
          for argument in method.outputs { $0.add(argument, direction: "out") }
          $0.add(method.annotations)
        }
      }
      for signal in interface.signals {
        $0.element("signal", [("name", signal.name)]) {
          for argument in signal.arguments { $0.add(argument, direction: nil) }
          $0.add(signal.annotations)
        }
      }
      for property in interface.properties { $0.add(property, unlessEmits: changes) }
      $0.add(interface.annotations)
    }
  }

  private mutating func add(_ property: PropertyDescription, unlessEmits changes: PropertyDescription.EmitsChanged) {
    let attributes = [("name", property.name), ("type", property.type.string), ("access", property.access.rawValue)]
    element("property", attributes) {
      if property.emitsChanged != changes {
        $0.add([Annotation(Annotation.emitsChangedSignal, property.emitsChanged.rawValue)])
      }
      $0.add(property.annotations)
    }
  }

  private mutating func add(_ argument: Argument, direction: String?) {
    let name = argument.name.isEmpty ? nil : argument.name
    element("arg", [("name", name), ("type", argument.type.string), ("direction", direction)]) { $0.add(argument.annotations) }
  }

  private mutating func add(_ annotations: [Annotation]) {
    for annotation in annotations { element("annotation", [("name", annotation.name), ("value", annotation.value)]) }
  }

  private mutating func element(
    _ name: String, _ attributes: [(String, String?)], _ content: (inout IntrospectionWriter) -> Void = { _ in }
  ) {
    text += String(repeating: " ", count: level) + "<" + name
    for case (let key, let value?) in attributes { text += " \(key)=\"\(MarkupText.xml(value))\"" }
    text += ">\n"
    let opened = text.utf8.count
    level += 1
    content(&self)
    level -= 1
    guard text.utf8.count > opened else {
      text.removeLast(2)
      text += "/>\n"
      return
    }
    text += String(repeating: " ", count: level) + "</" + name + ">\n"
  }
}

extension PropertyDescription.EmitsChanged {
  /// Reads the value of the annotation `EmitsChangedSignal` among `annotations`; nil if it is missing or invalid.
  package init?(_ annotations: [Annotation]) {
    guard let text = annotations.first(where: { $0.name == Annotation.emitsChangedSignal })?.value else { return nil }
    self.init(rawValue: text)
  }
}

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

/// The description of a method of an interface.
public struct MethodDescription: Sendable, Hashable {
  /// The method's name.
  public var name: String
  /// Its input arguments, in order.
  public var inputs: [Argument] { didSet { inputSignature = inputs.joinedSignature } }
  /// Its output arguments, in order.
  public var outputs: [Argument] { didSet { outputSignature = outputs.joinedSignature } }
  /// Its annotations.
  public var annotations: [Annotation]
  /// The type codes of `inputs`, as in the signature of a call.
  public private(set) var inputSignature: String
  /// The type codes of `outputs`, as in the signature of a reply.
  public private(set) var outputSignature: String

  /// Creates the description of a method.
  public init(_ name: String, inputs: [Argument] = [], outputs: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.annotations = annotations
    inputSignature = inputs.joinedSignature
    outputSignature = outputs.joinedSignature
  }
}

/// The description of a signal of an interface.
public struct SignalDescription: Sendable, Hashable {
  /// The signal's name.
  public var name: String
  /// Its arguments, in order.
  public var arguments: [Argument] { didSet { signature = arguments.joinedSignature } }
  /// Its annotations.
  public var annotations: [Annotation]
  /// The type codes of `arguments`, as in the signature of the message.
  public private(set) var signature: String

  /// Creates the description of a signal.
  public init(_ name: String, arguments: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.arguments = arguments
    self.annotations = annotations
    signature = arguments.joinedSignature
  }
}

/// The description of a property of an interface.
public struct PropertyDescription: Sendable, Hashable {
  /// How clients may access a property.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Clients may only read it.
    case read
    /// Clients may only set it.
    case write
    /// Clients may read and set it.
    case readWrite = "readwrite"

    /// Whether `Get` and `GetAll` return the property.
    public var isReadable: Bool { self != .write }
    /// Whether `Set` may change the property.
    public var isWritable: Bool { self != .read }
  }

  /// How `PropertiesChanged` reports a change.
  public enum EmitsChanged: String, Sendable, Hashable, CaseIterable {
    /// With the new value.
    case `true`
    /// Without the value.
    case invalidates
    /// Not at all, because the value never changes while the object exists.
    case const
    /// Not at all, although the value may change.
    case `false`
  }

  /// The property's name.
  public var name: String
  /// Its type: a signature of exactly one complete type.
  public var type: Signature
  /// How clients may access it.
  public var access: Access
  /// How changes are reported. In XML this is the annotation `EmitsChangedSignal`, which is omitted where it equals the
  /// interface's default.
  public var emitsChanged: EmitsChanged
  /// Its other annotations.
  public var annotations: [Annotation]

  /// Creates the description of a property.
  public init(
    _ name: String, _ type: Signature, access: Access = .read, emitsChanged: EmitsChanged = .true, annotations: [Annotation] = []
  ) {
    self.name = name
    self.type = type
    self.access = access
    self.emitsChanged = emitsChanged
    self.annotations = annotations
  }
}

/// An argument of a method or signal.
public struct Argument: Sendable, Hashable {
  /// The argument's name, for people only; empty if it has none.
  public var name: String
  /// The argument's type: a signature of exactly one complete type.
  public var type: Signature
  /// The argument's annotations.
  public var annotations: [Annotation]

  /// Creates the description of an argument.
  public init(_ name: String, _ type: Signature, annotations: [Annotation] = []) {
    self.name = name
    self.type = type
    self.annotations = annotations
  }
}

extension [Argument] {
  /// The concatenated signatures of all arguments. Not limited to 255 bytes: a longer signature never matches a
  /// message.
  var joinedSignature: String { map(\.type.string).joined() }
}

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
