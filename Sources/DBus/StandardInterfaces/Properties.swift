extension Connection {
  func serveProperties(_ call: IncomingCall, of object: any ExportedObject) {
    let texts = call.arguments.prefix(2).map { $0.string ?? "" }
    do throws(DBusError) {
      switch (call.member, call.arguments.last) {
      case ("GetAll", _): call.reply([try allProperties(of: object, texts[0])])
      case ("Get", _): call.reply([.variant(try get(texts[1], of: texts[0], object))])
      case ("Set", .variant(let value)?):
        try set(texts[1], of: texts[0], object, to: value)
        call.reply()
      default: call.fail(.unknownMethod("Interface Properties has no method \(call.member)"))
      }
    } catch {
      call.fail(error)
    }
  }

  private func get(_ name: String, of interface: String, _ object: any ExportedObject) throws(DBusError) -> Value {
    let (interface, property) = try find(name, in: interface, of: object)
    guard property.access.isReadable else { throw .accessDenied("Property \(name) cannot be read") }
    return try object.property(name, of: interface)
  }

  private func set(
    _ name: String, of interface: String, _ object: any ExportedObject, to value: Value
  ) throws(DBusError) {
    let (interface, property) = try find(name, in: interface, of: object)
    guard property.access.isWritable else { throw .propertyReadOnly("Property \(name) cannot be set") }
    guard property.type.accepts([value]) else {
      throw .invalidArgs("Property \(name) has the type '\(property.type)', not '\(value.type)'")
    }
    try object.setProperty(name, of: interface, to: value)
  }

  /// Looks in all interfaces if none is named, which the specification allows.
  private func find(
    _ name: String, in interface: String, of object: any ExportedObject
  ) throws(DBusError) -> (interface: String, property: PropertyDescription) {
    for candidate in try interfaces(named: interface, of: object) {
      if let property = candidate.property(name) { return (candidate.name, property) }
    }
    throw .unknownProperty("There is no property \(name)\(interface.isEmpty ? "" : " in \(interface)")")
  }

  private func interfaces(named name: String, of object: any ExportedObject) throws(DBusError) -> [InterfaceDescription] {
    if name.isEmpty { return object.interfaces }
    if let own = object.interface(name) { return [own] }
    // The standard interfaces exist too, and have no properties.
    if StandardInterfaces.ofObject(isObjectManager: true).contains(where: { $0.name == name }) { return [] }
    throw .unknownInterface("The object has no interface \(name)")
  }

  private func allProperties(of object: any ExportedObject, _ name: String) throws(DBusError) -> Value {
    let interfaces = try interfaces(named: name, of: object)
    return .vardict(interfaces.reduce(into: [:]) { $0.merge(readableProperties(of: object, $1)) { first, _ in first } })
  }

  /// The properties of one interface that can be read now.
  func readableProperties(of object: any ExportedObject, _ interface: InterfaceDescription) -> [String: Value] {
    interface.properties.reduce(into: [:]) { values, property in
      guard property.access.isReadable else { return }
      values[property.name] = try? object.property(property.name, of: interface.name)
    }
  }
}
