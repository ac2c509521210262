import DBus
import TestBus
import Testing

@Suite("Exported objects and standard interfaces", .timeLimit(.minutes(5)))
struct ObjectTests {
  @Test("Introspection works on every path from the root to an object, with argument names")
  func everyPathToObjectIsIntrospectable() async throws {
    let bus = try await SampleBus()
    for (path, child) in [("/", "org"), ("/org", "example"), ("/org/example", "Sample")] {
      let node = try await bus.introspect(try ObjectPath(path))
      #expect(node.childNames == [child])
      #expect(node.interfaces.map(\.name) == ["org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer"])
    }
    let node = try await bus.introspect(SampleObject.path)
    #expect(Array(node.interfaces.prefix(2)) == bus.object.interfaces)
    #expect(
      node.interfaces.dropFirst(2).map(\.name) == ["Introspectable", "Peer", "Properties"].map { "org.freedesktop.DBus.\($0)" })
    #expect(try await bus.error("Introspect", interface: "org.freedesktop.DBus.Introspectable", path: "/orgx") == "UnknownObject")
  }

  @Test("The Peer interface answers on every path, even without an object")
  func peerAnswersOnEveryPath() async throws {
    let bus = try await SampleBus()
    for path: ObjectPath in ["/", "/org", "/nothing/here", SampleObject.path] {
      let peer = Proxy(
        connection: bus.client, destination: SampleObject.name, path: path, interface: "org.freedesktop.DBus.Peer")
      #expect(try await peer.call("Ping") == [])
      #expect(try await peer.call("GetMachineId").first?.string?.count == 32)
    }
    #expect(try await bus.error("Pong", interface: "org.freedesktop.DBus.Peer") == "UnknownMethod")
    #expect(try await bus.error("Ping", [.byte(1)], interface: "org.freedesktop.DBus.Peer") == "InvalidArgs")
  }

  @Test("Properties are read and written, individually and all together")
  func propertiesAreReadAndWritten() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.sample.property("Level") == .uint32(1))
    try await bus.sample.setProperty("Level", to: .uint32(5))
    #expect(
      try await bus.sample.properties() == [
        "Level": .uint32(5), "Hidden": .string("hidden"), "Quiet": .string("quiet"), "Fixed": .string("fixed"),
      ])
  }

  @Test("Wrong property calls get the right errors")
  func propertyCallsGetRightErrors() async throws {
    let bus = try await SampleBus()
    func error(_ member: String, _ arguments: Value...) async throws -> String? {
      try await bus.error(member, arguments, interface: "org.freedesktop.DBus.Properties")
    }
    let own = Value.string(SampleObject.name)
    #expect(try await error("Get", own, .string("Nope")) == "UnknownProperty")
    #expect(try await error("Get", .string("org.example.Nope"), .string("Level")) == "UnknownInterface")
    #expect(try await error("Get", .string("org.example.Plain"), .string("Level")) == "UnknownProperty")
    #expect(try await error("Get", .string("not an interface"), .string("Level")) == "UnknownInterface")
    #expect(try await error("Get", own, .string("Broken")) == "Failed")
    #expect(try await error("Get", own, .string("Secret")) == "AccessDenied")
    #expect(try await error("Get", own) == "InvalidArgs")
    #expect(try await error("Set", own, .string("Fixed"), .variant(.string(""))) == "PropertyReadOnly")
    #expect(try await error("Set", own, .string("Level"), .variant(.string(""))) == "InvalidArgs")
    #expect(try await error("Set", own, .string("Nope"), .variant(.string(""))) == "UnknownProperty")
    #expect(try await error("GetAll", .string("org.example.Nope")) == "UnknownInterface")
    #expect(try await error("Get", .string(""), .string("Level")) == nil)
  }

  @Test("GetAll returns nothing for an interface without properties, including the standard ones")
  func getAllWithoutPropertiesIsEmpty() async throws {
    let bus = try await SampleBus()
    for interface in ["org.example.Plain", "org.freedesktop.DBus.Peer"] {
      var proxy = bus.sample
      proxy.interface = interface
      #expect(try await proxy.properties().isEmpty)
    }
  }

  @Test("Property changes are signaled once and before the following reply, as each property specifies")
  func propertyChangesPrecedeReply() async throws {
    let bus = try await SampleBus()
    let (service, object) = (bus.service, bus.object)
    object.whenSet {
      service.assumeIsolated { service in
        for _ in 0..<3 {
          service.propertiesChanged(
            at: SampleObject.path, interface: SampleObject.name, names: ["Level", "Hidden", "Quiet", "Fixed", "Broken", "Nope"])
        }
      }
    }
    let raw = try RawClient(bus.bus.address)
    try raw.send(RawMessage.addMatch("type='signal',sender='\(SampleObject.name)'"))
    _ = try raw.reply(to: raw.lastSerial)
    try raw.send(
      RawMessage.call(to: SampleObject.name, SampleObject.path.string, SampleObject.name, "Set", "u", RawBody().u32(9)))
    let serial = raw.lastSerial
    let first = try raw.receive()
    #expect(first.type == .signal && first.member == "PropertiesChanged")
    let second = try raw.receive()
    #expect(second.type == .methodReturn && second.replySerial == serial)
    #expect(try await bus.sample.property("Level") == .uint32(9))
  }

  @Test("PropertiesChanged carries new values, names invalidated properties, and omits the others")
  func propertiesChangedHasValuesAndInvalidations() async throws {
    let bus = try await SampleBus()
    let signals = try await bus.client.signals(matching: MatchRule(sender: SampleObject.name, member: "PropertiesChanged"))
    await bus.service.propertiesChanged(
      at: SampleObject.path, interface: SampleObject.name, names: ["Level", "Hidden", "Quiet", "Fixed"])
    var iterator = signals.makeAsyncIterator()
    guard case .signal(let signal)? = await iterator.next() else {
      Issue.record("no signal")
      return
    }
    #expect(signal.body == [.string(SampleObject.name), .vardict(["Level": .uint32(1)]), .strings(["Hidden"])])
  }

  @Test("A source serves a subtree with an object manager, and may intercept calls before object lookup")
  func sourceServesSubtreeWithManager() async throws {
    let bus = try await SampleBus()
    let source = NumberedSource(count: 3)
    await bus.service.serve(source, below: "/org/example/numbers")
    let manager = Proxy(
      connection: bus.client, destination: SampleObject.name, path: "/org/example/numbers",
      interface: "org.freedesktop.DBus.ObjectManager")
    guard case .dictionary(_, _, let entries)? = try await manager.call("GetManagedObjects").first else {
      Issue.record("no objects")
      return
    }
    #expect(entries.map(\.key) == (0..<3).map { .objectPath(NumberedSource.path($0)) })
    #expect(
      entries[1].value
        == .dictionary(
          key: .string, value: .dictionary(key: .string, value: .variant),
          [DictionaryEntry(key: .string("org.example.Number"), value: .vardict(["Value": .uint32(1)]))]))
    #expect(try await bus.introspect("/org/example/numbers").childNames == ["n0", "n1", "n2"])
    #expect(try await bus.introspect("/org/example").childNames == ["Sample", "numbers"])
    #expect(try await bus.error("Any", interface: "org.example.Number", path: "/org/example/numbers/taken") == nil)
    #expect(try await bus.error("Any", interface: "org.example.Number", path: "/org/example/numbers/n9") == "UnknownObject")
    await bus.service.stopServing(below: "/org/example/numbers")
    #expect(try await bus.error("Any", path: "/org/example/numbers/taken") == "UnknownObject")
  }

  @Test("The object manager signals objects that are added and removed")
  func managerSignalsAddedAndRemovedObjects() async throws {
    let bus = try await SampleBus()
    await bus.service.serve(NumberedSource(count: 3), below: "/org/example/numbers")
    let rule = MatchRule(sender: SampleObject.name, interface: "org.freedesktop.DBus.ObjectManager")
    var signals = try await bus.client.signals(matching: rule).makeAsyncIterator()
    try await bus.service.interfacesAdded(NumberedSource.path(2), manager: "/org/example/numbers")
    try await bus.service.interfacesRemoved(
      NumberedSource.path(2), interfaces: ["org.example.Number"], manager: "/org/example/numbers")
    guard case .signal(let added)? = await signals.next(), case .signal(let removed)? = await signals.next() else {
      Issue.record("no signals")
      return
    }
    #expect(added.member == "InterfacesAdded" && added.body.first == .objectPath(NumberedSource.path(2)))
    #expect(removed.member == "InterfacesRemoved" && removed.body.last == .strings(["org.example.Number"]))
  }

  @Test("A path can be exported once, and again after it was unexported")
  func pathIsExportedOnceAtATime() async throws {
    let bus = try await SampleBus()
    await #expect(throws: PathInUse(path: SampleObject.path)) { try await bus.service.export(bus.object, at: SampleObject.path) }
    await bus.service.unexport(SampleObject.path)
    #expect(try await bus.error("Count") == "UnknownObject")
    try await bus.service.export(bus.object, at: SampleObject.path)
    #expect(try await bus.error("Count") == nil)
  }
}

extension SampleBus {
  fileprivate func introspect(_ path: ObjectPath) async throws -> NodeDescription {
    let xml = try await client.call(
      destination: SampleObject.name, path: path, interface: "org.freedesktop.DBus.Introspectable", member: "Introspect")
    return try NodeDescription(parsing: xml.first?.string ?? "")
  }
}

/// Objects n0, n1, … below a manager, and a path without an object that accepts calls.
private struct NumberedSource: ObjectSource {
  let count: Int

  static func path(_ number: Int) -> ObjectPath { (try? ObjectPath("/org/example/numbers/n\(number)")) ?? .root }

  var objectManagerPath: ObjectPath? { "/org/example/numbers" }
  func managedPaths() -> [ObjectPath] { (0..<count).map(Self.path) }
  func childNames(of path: ObjectPath) -> [String] {
    path == "/org/example/numbers" ? (0..<count).map { "n\($0)" } : []
  }

  func object(at path: ObjectPath) -> (any ExportedObject)? {
    if path == "/org/example/numbers" { return NumberedManager() }
    return managedPaths().firstIndex(of: path).map { NumberedObject(number: UInt32($0)) }
  }

  func intercept(_ call: IncomingCall) -> Bool {
    guard call.path == "/org/example/numbers/taken" else { return false }
    call.reply()
    return true
  }
}

private struct NumberedManager: ExportedObject {
  let interfaces: [InterfaceDescription] = []
}

private struct NumberedObject: ExportedObject {
  let number: UInt32
  let interfaces = [InterfaceDescription("org.example.Number", properties: [PropertyDescription("Value", "u")])]
  func property(_ name: String, of interface: String) throws(DBusError) -> Value { .uint32(number) }
}
