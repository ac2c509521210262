extension Connection {
  func serveProperties(_ call: IncomingCall, of object: any ExportedObject) {
    let texts = call.arguments.prefix(2).map { $0.string ?? "" }
    do throws(DBusError) {
      switch (call.member, call.arguments.last) {
      case ("GetAll", _): try getAll(call, texts[0], of: object)
      case ("Get", _): try get(call, texts[1], of: texts[0], object)
      case ("Set", .variant(let value)?):
        try set(texts[1], of: texts[0], object, to: value)
        call.reply()
      default: call.fail(.unknownMethod("Interface Properties has no method \(call.member)"))
      }
    } catch {
      call.fail(error)
    }
  }

  private func get(_ call: IncomingCall, _ name: String, of interface: String, _ object: any ExportedObject) throws(DBusError) {
    let (interface, property) = try find(name, in: interface, of: object)
    guard property.access.isReadable else { throw .accessDenied("Property \(name) cannot be read") }
    guard object.largeProperty(name, of: interface) != nil else {
      return call.reply([.variant(try object.property(name, of: interface))])
    }
    let path = call.path
    call.replyInTurn(
      .described { connection throws(DBusError) in
        let object = try connection.existingObject(at: path)
        guard let large = object.largeProperty(name, of: interface) else {
          // The value has become small meanwhile.
          let value = try object.property(name, of: interface)
          return LargeAnswer(key: "", stamp: 0) { [.variant(value)] }
        }
        return LargeAnswer(key: "\(interface).\(name) of \(path)", stamp: large.stamp) { [.variant(large.make())] }
      })
  }

  private func existingObject(at path: ObjectPath) throws(DBusError) -> any ExportedObject {
    guard let object = objects.object(at: path) else { throw .unknownObject("There is no longer an object at \(path)") }
    return object
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

  /// Finds a property. If no interface is named, which the specification allows, all of them are searched.
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
    // The standard interfaces exist too, but have no properties.
    if StandardInterfaces.ofObject(isObjectManager: true).contains(where: { $0.name == name }) { return [] }
    throw .unknownInterface("The object has no interface \(name)")
  }

  private func getAll(_ call: IncomingCall, _ name: String, of object: any ExportedObject) throws(DBusError) {
    let interfaces = try interfaces(named: name, of: object)
    guard interfaces.contains(where: { $0.hasLargeProperty(of: object) }) else {
      return call.reply([.vardict(merged(interfaces.map { readableProperties(of: object, $0) }))])
    }
    let path = call.path
    call.replyInTurn(
      .described { connection throws(DBusError) in
        let object = try connection.existingObject(at: path)
        let readings = connection.merged(interfaces.map { connection.readings(of: object, $0) })
        let stamp = readings.values.compactMap { if case .large(let large) = $0 { large.stamp } else { nil } }.first
        return LargeAnswer(key: stamp == nil ? "" : "\(name).* of \(path)", stamp: stamp ?? 0) {
          [.vardict(readings.mapValues(\.value))]
        }
      })
  }

  /// Merges the dictionaries into one. Of properties with the same name, the first takes precedence.
  private func merged<Content>(_ properties: [[String: Content]]) -> [String: Content] {
    guard properties.count != 1 else { return properties[0] }
    return properties.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// Reads those properties of an interface that are readable now, without making values that take time.
  func readings(of object: any ExportedObject, _ interface: InterfaceDescription) -> [String: PropertyReading] {
    interface.properties.reduce(into: [:]) { readings, property in
      guard property.access.isReadable else { return }
      readings[property.name] =
        object.largeProperty(property.name, of: interface.name).map(PropertyReading.large)
        ?? (try? object.property(property.name, of: interface.name)).map(PropertyReading.value)
    }
  }

  /// Reads those properties of an interface that are readable now.
  func readableProperties(of object: any ExportedObject, _ interface: InterfaceDescription) -> [String: Value] {
    interface.properties.reduce(into: [:]) { values, property in
      guard property.access.isReadable else { return }
      values[property.name] = try? object.property(property.name, of: interface.name)
    }
  }
}

extension InterfaceDescription {
  /// Returns whether a property of the object takes time to read.
  fileprivate func hasLargeProperty(of object: any ExportedObject) -> Bool {
    properties.contains { object.largeProperty($0.name, of: name) != nil }
  }
}

/// Property changes that no signal has reported yet, in the order of the first change of each interface.
struct PropertyChanges {
  struct Key: Hashable {
    let path: ObjectPath
    let interface: String
  }

  private(set) var order: [Key] = []
  private(set) var names: [Key: Set<String>] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ names: [String], at key: Key) {
    if self.names[key] == nil { order.append(key) }
    self.names[key, default: []].formUnion(names)
  }
}

extension Connection {
  /// Records that properties have changed.
  ///
  /// One `PropertiesChanged` signal for each interface reports all changes up to the next message that this connection
  /// sends. It is sent before that message, or else once the jobs that are already queued on the loop have run. The
  /// values are read when it is sent.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.Properties".
  ///
  /// - Parameters:
  ///   - path: the path of an object of this connection. If the object is gone when the signal is due, no signal is
  ///     sent.
  ///   - interface: one of its interfaces.
  ///   - names: the names of the changed properties. Those whose description says `const` or `false` are omitted; those
  ///     that say `invalidates` are listed without their values.
  public func propertiesChanged(at path: ObjectPath, interface: String, names: [String]) {
    if !names.isEmpty { noteChanges(of: names, at: PropertyChanges.Key(path: path, interface: interface)) }
  }

  /// Notifies one client that a property has changed, at once and with its value.
  ///
  /// - Parameters:
  ///   - destination: the client's unique name.
  ///   - name: the name of the property.
  ///   - path: the path of an object of this connection. If the object is gone, nothing is sent.
  ///   - interface: one of its interfaces.
  public func tell(_ destination: String, ofChanged name: String, at path: ObjectPath, interface: String) {
    guard let object = objects.object(at: path), let description = object.interface(interface) else { return }
    sendChanges(
      of: description.properties.filter { $0.name == name }, of: object,
      at: PropertyChanges.Key(path: path, interface: interface), to: destination)
  }

  /// Sends the changes that ``propertiesChanged(at:interface:names:)`` has recorded.
  func send(_ changes: PropertyChanges) {
    for key in changes.order {
      guard let object = objects.object(at: key.path), let interface = object.interface(key.interface) else { continue }
      let names = changes.names[key] ?? []
      sendChanges(of: interface.properties.filter { names.contains($0.name) }, of: object, at: key)
    }
  }

  private func sendChanges(
    of properties: [PropertyDescription], of object: any ExportedObject, at key: PropertyChanges.Key,
    to destination: String? = nil
  ) {
    var changed: [String: Value] = [:]
    var invalidated: [String] = []
    for property in properties where property.access.isReadable {
      switch property.emitsChanged {
      case .true:
        if let value = try? object.property(property.name, of: key.interface) {
          changed[property.name] = value
        } else {
          invalidated.append(property.name)
        }
      case .invalidates: invalidated.append(property.name)
      case .const, .false: break
      }
    }
    guard !changed.isEmpty || !invalidated.isEmpty else { return }
    do throws(DBusError) {
      try emit(propertiesChangedSignal(key, .vardict(changed), invalidated), to: destination)
    } catch {
      // Most likely too large: report at least that the properties have changed. If even that fails, there is nothing
      // left to report.
      try? emit(propertiesChangedSignal(key, .vardict([:]), invalidated + changed.keys.sorted()), to: destination)
    }
  }

  private func propertiesChangedSignal(_ key: PropertyChanges.Key, _ changed: Value, _ invalidated: [String]) -> Signal {
    Signal(
      path: key.path, interface: StandardInterfaces.properties.name, member: "PropertiesChanged",
      body: [.string(key.interface), changed, .strings(invalidated)])
  }
}
