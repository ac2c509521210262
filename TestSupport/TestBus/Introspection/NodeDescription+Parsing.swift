import DBus

extension NodeDescription {
  /// Parses introspection data.
  ///
  /// Parsing is strict: anything that the format does not define is refused, so that no misspelled word passes silently.
  /// Comments, and elements and attributes with a namespace prefix (mostly documentation), are skipped along with their
  /// content. Only the names of objects below this one are kept.
  ///
  /// Source: D-Bus Specification, "Introspection Data Format".
  ///
  /// - Parameter xml: the XML document.
  /// - Throws: `InvalidIntrospection` with the line of the first error.
  public init(parsing xml: String) throws(InvalidIntrospection) {
    var reader = XMLReader(xml)
    let root = try reader.document()
    self = try IntrospectionReader(text: reader.text).node(root)
  }
}

/// Creates descriptions from the elements of a document.
private struct IntrospectionReader {
  /// The document, needed to determine the lines of errors.
  let text: [UInt8]

  func node(_ element: XMLElement) throws(InvalidIntrospection) -> NodeDescription {
    guard element.name == "node" else { throw fault("expected <node>", element) }
    try allow(["name"], of: element)
    var node = NodeDescription()
    if let name = element.attributes["name"] {
      node.path = try valid(element) { () throws(InvalidName) in try ObjectPath(name) }
    }
    for child in try children(of: element) {
      switch child.name {
      case "interface": node.interfaces.append(try interface(child))
      case "node": node.childNames.append(try childName(child))
      default: throw misplaced(child, in: element)
      }
    }
    return node
  }

  private func childName(_ element: XMLElement) throws(InvalidIntrospection) -> String {
    let name = try required("name", of: element)
    try valid(element) { () throws(InvalidName) in try Names.check("/" + name, as: .objectPath) }
    guard !name.isEmpty else { throw fault("a child node without a name", element) }
    return name
  }

  private func interface(_ element: XMLElement) throws(InvalidIntrospection) -> InterfaceDescription {
    try allow(["name"], of: element)
    var interface = InterfaceDescription(try name(of: element, .interface))
    let parts = try children(of: element)
    for part in parts where part.name == "annotation" { interface.annotations.append(try annotation(part)) }
    let changes = PropertyDescription.EmitsChanged(interface.annotations) ?? .true
    for part in parts {
      switch part.name {
      case "method": interface.methods.append(try method(part))
      case "signal": interface.signals.append(try signal(part))
      case "property": interface.properties.append(try property(part, emitsChanged: changes))
      case "annotation": break
      default: throw misplaced(part, in: element)
      }
    }
    return interface
  }

  private func method(_ element: XMLElement) throws(InvalidIntrospection) -> MethodDescription {
    try allow(["name"], of: element)
    var method = MethodDescription(try name(of: element, .member))
    for part in try children(of: element) {
      switch part.name {
      case "annotation": method.annotations.append(try annotation(part))
      case "arg":
        switch part.attributes["direction"] {
        case "in", nil: method.inputs.append(try argument(part))
        case "out": method.outputs.append(try argument(part))
        default: throw fault("the direction of an argument is 'in' or 'out'", part)
        }
      default: throw misplaced(part, in: element)
      }
    }
    return method
  }

  private func signal(_ element: XMLElement) throws(InvalidIntrospection) -> SignalDescription {
    try allow(["name"], of: element)
    var signal = SignalDescription(try name(of: element, .member))
    for part in try children(of: element) {
      switch part.name {
      case "annotation": signal.annotations.append(try annotation(part))
      case "arg":
        guard part.attributes["direction"] ?? "out" == "out" else { throw fault("a signal's arguments go out", part) }
        signal.arguments.append(try argument(part))
      default: throw misplaced(part, in: element)
      }
    }
    return signal
  }

  private func property(
    _ element: XMLElement, emitsChanged: PropertyDescription.EmitsChanged
  ) throws(InvalidIntrospection) -> PropertyDescription {
    try allow(["name", "type", "access"], of: element)
    guard let access = PropertyDescription.Access(rawValue: try required("access", of: element)) else {
      throw fault("the access of a property is 'read', 'write' or 'readwrite'", element)
    }
    var property = PropertyDescription(
      try name(of: element, .member), try type(of: element), access: access, emitsChanged: emitsChanged)
    for annotation in try annotations(of: element) {
      guard annotation.name == Annotation.emitsChangedSignal else {
        property.annotations.append(annotation)
        continue
      }
      guard let changes = PropertyDescription.EmitsChanged(rawValue: annotation.value) else {
        throw fault("EmitsChangedSignal is 'true', 'invalidates', 'const' or 'false'", element)
      }
      property.emitsChanged = changes
    }
    return property
  }

  private func argument(_ element: XMLElement) throws(InvalidIntrospection) -> Argument {
    try allow(["name", "type", "direction"], of: element)
    let annotations = try annotations(of: element)
    return Argument(element.attributes["name"] ?? "", try type(of: element), annotations: annotations)
  }

  private func annotations(of element: XMLElement) throws(InvalidIntrospection) -> [Annotation] {
    var result: [Annotation] = []
    for part in try children(of: element) {
      guard part.name == "annotation" else { throw misplaced(part, in: element) }
      result.append(try annotation(part))
    }
    return result
  }

  private func annotation(_ element: XMLElement) throws(InvalidIntrospection) -> Annotation {
    try allow(["name", "value"], of: element)
    if let child = try children(of: element).first { throw misplaced(child, in: element) }
    return Annotation(try required("name", of: element), try required("value", of: element))
  }

  // MARK: Attributes and children

  private func children(of element: XMLElement) throws(InvalidIntrospection) -> [XMLElement] {
    guard !element.holdsText else { throw fault("text in <\(element.name)>", element) }
    return element.children.filter { !$0.isForeign }
  }

  private func allow(_ known: Set<String>, of element: XMLElement) throws(InvalidIntrospection) {
    for key in element.attributes.keys.sorted() where !known.contains(key) {
      guard key == "xmlns" || key.utf8.contains(UInt8(ascii: ":")) else {
        throw fault("<\(element.name)> has no attribute \(key)", element)
      }
    }
  }

  private func required(_ key: String, of element: XMLElement) throws(InvalidIntrospection) -> String {
    guard let value = element.attributes[key] else { throw fault("<\(element.name)> needs the attribute \(key)", element) }
    return value
  }

  private func name(of element: XMLElement, _ kind: InvalidName.Kind) throws(InvalidIntrospection) -> String {
    let name = try required("name", of: element)
    try valid(element) { () throws(InvalidName) in try Names.check(name, as: kind) }
    return name
  }

  private func type(of element: XMLElement) throws(InvalidIntrospection) -> Signature {
    let text = try required("type", of: element)
    let signature = try valid(element) { () throws(InvalidName) in try Signature(text) }
    guard signature.single != nil else { throw fault("a type is one complete type, not \"\(text)\"", element) }
    return signature
  }

  /// Runs a check of a name, and adds the position in the document to its error.
  private func valid<T>(_ element: XMLElement, _ check: () throws(InvalidName) -> T) throws(InvalidIntrospection) -> T {
    do {
      return try check()
    } catch {
      throw fault(error.description, element)
    }
  }

  private func misplaced(_ child: XMLElement, in element: XMLElement) -> InvalidIntrospection {
    fault("<\(child.name)> does not belong into <\(element.name)>", child)
  }

  private func fault(_ reason: String, _ element: XMLElement) -> InvalidIntrospection {
    InvalidIntrospection(reason, at: element.offset, in: text)
  }
}
