import CDBus
import Synchronization

/// Dispatches method calls. Errors take precedence in the order of the specification: object, interface, method,
/// arguments.
extension Connection {
  /// Carries out a call that ``ObjectSource/intercept(_:)`` has taken, as if it had just arrived.
  public func deliver(_ call: IncomingCall) { dispatch(call) }

  func dispatch(_ call: IncomingCall) {
    // "On any path": the specification does not require an object at the path.
    if call.interface == StandardInterfaces.peer.name { return serve(call, StandardInterfaces.peer, serve: servePeer) }
    let source = objects.source(for: call.path)
    if source?.intercept(call) == true { return }
    guard let object = objects.object(at: call.path) else { return serveWithoutObject(call) }
    let isObjectManager = source?.objectManagerPath == call.path
    let standard = StandardInterfaces.ofObject(isObjectManager: isObjectManager)
    guard let name = call.interface else {
      return dispatchWithoutInterface(call, object: object, standard: standard)
    }
    if let interface = object.interface(name) {
      serve(call, interface, of: object) { object.handle($0) }
    } else if let interface = standard.first(where: { $0.name == name }) {
      serve(call, interface) { serveStandard($0, of: object, source: source) }
    } else {
      refuse(call, .unknownInterface("Object \(call.path) has no interface \(name)"))
    }
  }

  /// Handles a call without an interface. The specification leaves the choice among methods of the same name to the
  /// implementation; the object's own take precedence.
  private func dispatchWithoutInterface(_ call: IncomingCall, object: any ExportedObject, standard: [InterfaceDescription]) {
    if let interface = object.interfaces.first(where: { $0.method(call.member) != nil }) {
      serve(call, interface, of: object) { object.handle($0) }
    } else if let interface = standard.first(where: { $0.method(call.member) != nil }) {
      serve(call, interface) { serveStandard($0, of: object, source: objects.source(for: call.path)) }
    } else {
      refuse(call, .unknownMethod("Object \(call.path) has no method \(call.member)"))
    }
  }

  /// Handles a call to a path without an object, which may be above one.
  private func serveWithoutObject(_ call: IncomingCall) {
    let childNames = objects.childNames(for: call)
    let isNode = call.path.isRoot || !childNames.isEmpty
    if isNode, call.interface == StandardInterfaces.introspectable.name || (call.interface == nil && call.member == "Introspect")
    {
      return serve(call, StandardInterfaces.introspectable) { call in
        let interfaces = [StandardInterfaces.introspectable, StandardInterfaces.peer]
        call.reply([.string(NodeDescription(interfaces: interfaces, childNames: childNames).xml)])
      }
    }
    if call.interface == nil, StandardInterfaces.peer.method(call.member) != nil {
      return serve(call, StandardInterfaces.peer, serve: servePeer)
    }
    refuse(call, .unknownObject("There is no object at \(call.path)"))
  }

  /// Checks the method and its arguments, then passes the call on. Without an object, as for the standard interfaces, the
  /// argument types must be exactly those of the description.
  private func serve(
    _ call: IncomingCall, _ interface: InterfaceDescription, of object: (any ExportedObject)? = nil,
    serve: (IncomingCall) -> Void
  ) {
    guard let method = interface.method(call.member) else {
      return refuse(call, .unknownMethod("Interface \(interface.name) has no method \(call.member)"))
    }
    guard object?.accepts(method, arguments: call.signature) ?? (call.signature == method.inputSignature) else {
      return refuse(
        call,
        .invalidArgs("Method \(call.member) takes arguments of types '\(method.inputSignature)', not '\(call.signature)'"))
    }
    var call = call
    call.interface = interface.name
    call.results = method.outputSignature
    serve(call)
  }

  /// Answers a call with an error if it reaches no object that could tell whether its arguments contain a secret.
  func refuse(_ call: IncomingCall, _ error: DBusError) {
    call.fail(error)
    forgetRefused(call.signature)
  }

  func forgetRefused(_ signature: String) {
    // If the padding cannot be sent, the received bytes stay in libdbus's buffer until the next attempt succeeds.
    if !signature.isEmpty { try? forgetReceivedBytes() }
  }

  private func serveStandard(_ call: IncomingCall, of object: any ExportedObject, source: (any ObjectSource)?) {
    switch call.interface {
    case StandardInterfaces.introspectable.name:
      let standard = StandardInterfaces.ofObject(isObjectManager: source?.objectManagerPath == call.path)
      let node = NodeDescription(interfaces: object.interfaces + standard, childNames: objects.childNames(for: call))
      call.reply([.string(node.xml)])
    case StandardInterfaces.properties.name: serveProperties(call, of: object)
    case StandardInterfaces.objectManager.name: serveManagedObjects(call, of: source?.visible(to: call))
    default: servePeer(call)
    }
  }

  /// Sends the answer to a call. An answer that cannot be sent is replaced by an error, so that the caller does not
  /// wait forever.
  func answer(_ answer: Result<[Value], DBusError>, results: String?, sender: String, serial: UInt32) {
    do throws(DBusError) {
      switch answer {
      case .success(let values):
        if let results { try values.check(areOf: results) }
        try send(.reply(values, to: serial, of: sender))
      case .failure(let error): try send(.error(error, to: serial, of: sender))
      }
    } catch {
      // Also fails without a connection, in which case there is no caller to answer.
      _ = try? send(.error(.limitsExceeded("The reply cannot be sent: \(error.message)"), to: serial, of: sender))
    }
  }
}

/// The time for which a call may occupy the loop before other senders are served first.
package enum CallPace {
  /// The time in nanoseconds. Increase it for a program under an instrument that slows down all code.
  package static let longest = Atomic<UInt64>(1_000_000)
}

extension Connection {
  /// Serves the Peer interface. libdbus could do so itself, but would answer even callers that requested no reply.
  func servePeer(_ call: IncomingCall) {
    guard call.member == "GetMachineId" else { return call.reply() }
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let id = dbus_try_get_local_machine_id(&error) else {
      return call.fail(.failed(error.message.map { String(cString: $0) } ?? "The machine has no id"))
    }
    defer { dbus_free(id) }
    call.reply([.string(String(cString: id))])
  }
}

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
