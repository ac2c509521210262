extension Connection {
  func serveManagedObjects(_ call: IncomingCall, of source: (any ObjectSource)?) {
    guard let source else { return call.fail(.unknownInterface("There is no object manager at \(call.path)")) }
    let size = source.managedSize()
    guard size <= limits.size else {
      return call.fail(
        .limitsExceeded(
          "the reply would be larger than \(limits.size) bytes; read the objects one by one: Introspect lists them"))
    }
    guard size < LargeAnswer.size else { return call.replyInTurn(.gathered(source)) }
    let entries: [DictionaryEntry] = source.managedPaths().compactMap { path in
      source.object(at: path).map { DictionaryEntry(key: .objectPath(path), value: interfacesAndProperties(of: $0)) }
    }
    call.reply([.dictionary(key: .objectPath, value: Self.interfacesType, entries)])
  }

  /// Returns the result of `GetManagedObjects` for the gathered objects.
  static func managedObjects(_ rows: [Gathering.Row]) -> Value {
    .dictionary(
      key: .objectPath, value: interfacesType,
      rows.map { path, interfaces in
        let properties = interfaces.map { name, properties in
          DictionaryEntry(key: .string(name), value: .vardict(properties.mapValues(\.value)))
        }
        return DictionaryEntry(key: .objectPath(path), value: .dictionary(key: .string, value: propertiesType, properties))
      })
  }

  /// Notifies the clients of an object manager that an object has appeared or has gained interfaces, with the
  /// `InterfacesAdded` signal.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.ObjectManager".
  ///
  /// - Parameters:
  ///   - path: the object's path. If there is no object, nothing is sent.
  ///   - interfaces: the names of the new interfaces; nil for all.
  ///   - manager: the object manager's path.
  ///   - destination: the only client to notify; nil for all.
  /// - Throws: the same errors as ``emit(_:to:)``.
  public func interfacesAdded(
    _ path: ObjectPath, interfaces: [String]? = nil, manager: ObjectPath, to destination: String? = nil
  ) throws(DBusError) {
    guard let object = objects.object(at: path) else { return }
    let body: [Value] = [.objectPath(path), interfacesAndProperties(of: object, only: interfaces)]
    try emit(
      Signal(path: manager, interface: StandardInterfaces.objectManager.name, member: "InterfacesAdded", body: body),
      to: destination)
  }

  /// Notifies the clients of an object manager that an object has gone or has lost interfaces, with the
  /// `InterfacesRemoved` signal.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.ObjectManager".
  ///
  /// - Parameters:
  ///   - path: the object's path. The object may be gone already.
  ///   - interfaces: the names of the interfaces that it had.
  ///   - manager: the object manager's path.
  ///   - destination: the only client to notify; nil for all.
  /// - Throws: the same errors as ``emit(_:to:)``.
  public func interfacesRemoved(
    _ path: ObjectPath, interfaces: [String], manager: ObjectPath, to destination: String? = nil
  ) throws(DBusError) {
    let body: [Value] = [.objectPath(path), .strings(interfaces)]
    try emit(
      Signal(path: manager, interface: StandardInterfaces.objectManager.name, member: "InterfacesRemoved", body: body),
      to: destination)
  }

  /// `a{sv}`
  private static let propertiesType = SingleType.dictionary(key: .string, value: .variant)
  /// `a{sa{sv}}`
  private static let interfacesType = SingleType.dictionary(key: .string, value: propertiesType)

  private func interfacesAndProperties(of object: any ExportedObject, only names: [String]? = nil) -> Value {
    let interfaces = object.interfaces.filter { names?.contains($0.name) ?? true }
    return .dictionary(
      key: .string, value: Self.propertiesType,
      interfaces.map { DictionaryEntry(key: .string($0.name), value: .vardict(readableProperties(of: object, $0))) })
  }
}
