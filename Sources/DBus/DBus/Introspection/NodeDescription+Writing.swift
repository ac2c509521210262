import Platform

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
