extension Connection {
  func serveManagedObjects(_ call: IncomingCall, of source: (any ObjectSource)?) {
    guard let source else { return call.fail(.unknownInterface("There is no object manager at \(call.path)")) }
    let size = source.managedSize()
    guard size <= limits.size else {
      return call.fail(
        .limitsExceeded(
          "the answer would be larger than \(limits.size) bytes; look at the objects one by one: Introspect names them"))
    }
    guard size < LargeAnswer.size else { return call.replyInTurn(.gathered(source)) }
    let entries: [DictionaryEntry] = source.managedPaths().compactMap { path in
      source.object(at: path).map { DictionaryEntry(key: .objectPath(path), value: interfacesAndProperties(of: $0)) }
    }
    call.reply([.dictionary(key: .objectPath, value: Self.interfacesType, entries)])
  }

  /// What `GetManagedObjects` answers, of what was gathered.
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

  /// Tells those who follow an object manager of an object that has appeared, or of interfaces that one has gained.
  ///
  /// - Parameters:
  ///   - path: The object, which must exist; if not, nothing is sent.
  ///   - interfaces: Names of its new interfaces; nil for all.
  ///   - manager: Where the object manager is.
  /// - Throws: As ``emit(_:to:)`` does.
  public func interfacesAdded(_ path: ObjectPath, interfaces: [String]? = nil, manager: ObjectPath) throws(DBusError) {
    guard let object = objects.object(at: path) else { return }
    let body: [Value] = [.objectPath(path), interfacesAndProperties(of: object, only: interfaces)]
    try emit(
      Signal(path: manager, interface: StandardInterfaces.objectManager.name, member: "InterfacesAdded", body: body))
  }

  /// Tells those who follow an object manager of an object that is gone, or of interfaces that one has lost.
  ///
  /// - Parameters:
  ///   - path: The object, which may be gone already.
  ///   - interfaces: Names of the interfaces that it had.
  ///   - manager: Where the object manager is.
  /// - Throws: As ``emit(_:to:)`` does.
  public func interfacesRemoved(_ path: ObjectPath, interfaces: [String], manager: ObjectPath) throws(DBusError) {
    let body: [Value] = [.objectPath(path), .strings(interfaces)]
    try emit(
      Signal(path: manager, interface: StandardInterfaces.objectManager.name, member: "InterfacesRemoved", body: body))
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
