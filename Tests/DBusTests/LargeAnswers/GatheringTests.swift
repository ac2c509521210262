import Platform
import TestBus
import Testing

@testable import DBus

@Suite("GetManagedObjects with many objects", .timeLimit(.minutes(5)))
struct GatheringTests {
  @Test("GetManagedObjects lists all objects, gathering a few at a time while other calls are served")
  func managedObjectsAreGatheredInTurns() async throws {
    let bus = try await SampleBus()
    let source = ManyObjects(count: 2_000)
    await bus.service.serve(source, below: ManyObjects.root)
    let other = try await bus.anotherSample()
    let calls = Record<Int>()
    source.whenRead { _ in
      guard source.reads == 1 else { return }
      Task {
        _ = try? await other.call("Count")
        calls.append(source.reads)
      }
    }
    let values = try await bus.managedObjects()
    #expect(values.count == 2_000)
    #expect(Set(values.map(\.key)) == Set(source.managedPaths().map { .objectPath($0) }))
    #expect(source.reads == 2_000)
    try await calls.reaches(1)
    // For the second request, no object has changed.
    #expect(try await bus.managedObjects() == values)
    #expect(source.reads == 2_000)
  }

  @Test("After the reply, a client gets again what was sent to everyone and to itself, and nothing that was sent to others")
  func signalsToOthersAreNotRepeated() throws {
    var gathering = Gathering([])
    for destination in [nil, ":1.5", ":1.6"] {
      let signal = Signal(
        path: ManyObjects.root, interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded",
        body: [.string(destination ?? "everyone")])
      gathering.note(signal, to: destination)
    }
    #expect(gathering.signals(to: ":1.5").map(\.body) == [[.string("everyone")], [.string(":1.5")]])
    #expect(gathering.signals(to: ":1.7").map(\.body) == [[.string("everyone")]])
  }

  @Test(
    "Changes during GetManagedObjects are signaled again after the reply, so that a client ends up up to date"
  )
  func changesDuringGatheringAreSignaledAgain() async throws {
    let bus = try await SampleBus()
    let source = ManyObjects(count: 500)
    let service = bus.service
    await service.serve(source, below: ManyObjects.root)
    let gone = source.managedPaths()[0]
    let new = try ManyObjects.root.appending("new")
    source.whenRead { path in
      guard path == source.managedPaths().last, path != new else { return }
      // The first object was gathered long ago.
      service.assumeIsolated { connection in
        source.remove(gone)
        try? connection.interfacesRemoved(gone, interfaces: [ManyObjects.interface], manager: ManyObjects.root)
        source.add(new)
        try? connection.interfacesAdded(new, manager: ManyObjects.root)
      }
    }
    let raw = try RawClient(bus.bus.address)
    try raw.write(
      RawMessage.call(
        to: SampleObject.name, ManyObjects.root.string, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
      )
      .bytes(serial: 77))
    // Without a match rule, the raw client gets only messages that are sent to it.
    #expect(try raw.reply(to: 77).type == .methodReturn)
    let told = [try raw.receive(), try raw.receive()]
    #expect(told.map(\.member) == ["InterfacesRemoved", "InterfacesAdded"])
    #expect(told.map(\.text) == [gone.string, new.string])
  }

  @Test("A large answer of GetManagedObjects that one caller may see is not given to another who sees less")
  func largeAnswerIsKeptForCallersWhoSeeTheSame() async throws {
    let bus = try await SampleBus()
    let source = ManyObjects(count: 10)
    let other = try await Connection.open(.address(bus.bus.address))
    source.hide(["/org/example/Many/n3"], from: other.uniqueName)
    await bus.service.serve(source, below: ManyObjects.root)
    for _ in 0..<2 {
      #expect(try await bus.managedObjects().count == 10)
      #expect(try await bus.managedObjects(by: other).count == 9)
    }
    #expect(source.reads == 19, "each view is gathered once")
  }

  @Test("GetManagedObjects with a reply too large to send is refused before any object is read")
  func oversizedReplyIsRefusedBeforeReading() async throws {
    let bus = try await SampleBus()
    let source = ManyObjects(count: 10)
    source.setSize(17 << 20)
    await bus.service.serve(source, below: ManyObjects.root)
    await #expect(throws: DBusError.self) { _ = try await bus.managedObjects() }
    #expect(source.reads == 0)
  }
}

extension SampleBus {
  fileprivate func managedObjects(by other: Connection? = nil) async throws -> [DictionaryEntry] {
    let values = try await (other ?? client).call(
      destination: SampleObject.name, path: ManyObjects.root, interface: "org.freedesktop.DBus.ObjectManager",
      member: "GetManagedObjects")
    guard case .dictionary(_, _, let entries)? = values.first else { return [] }
    return entries
  }
}

/// A source of any number of objects, each with one property.
private final class ManyObjects: ObjectSource, ExportedObject {
  static let root: ObjectPath = "/org/example/Many"
  static let interface = "org.example.Many"

  private struct State {
    var paths: [ObjectPath] = []
    var reads = 0
    var stamp: UInt64 = 0
    var size = 1 << 20
    var whenRead: (@Sendable (ObjectPath) -> Void)?
    var hidden: [String: Set<ObjectPath>] = [:]
  }
  private let state = Lock(State())
  let interfaces = [InterfaceDescription(ManyObjects.interface, properties: [PropertyDescription("Name", "s")])]

  init(count: Int) {
    state.withLock { $0.paths = (0..<count).compactMap { try? Self.root.appending("n\($0)") } }
  }

  /// The number of objects that were read.
  var reads: Int { state.withLock { $0.reads } }
  func whenRead(_ body: @escaping @Sendable (ObjectPath) -> Void) { state.withLock { $0.whenRead = body } }
  func hide(_ paths: Set<ObjectPath>, from sender: String) { state.withLock { $0.hidden[sender] = paths } }
  func visible(to call: IncomingCall) -> any ObjectSource {
    let hidden = state.withLock { $0.hidden[call.sender] }
    return hidden.map { FewerObjects(source: self, hidden: $0) } ?? self
  }
  func setSize(_ size: Int) { state.withLock { $0.size = size } }

  func add(_ path: ObjectPath) { change { $0.append(path) } }
  func remove(_ path: ObjectPath) { change { $0.removeAll { $0 == path } } }
  private func change(_ body: (inout [ObjectPath]) -> Void) {
    state.withLock { state in
      body(&state.paths)
      state.stamp += 1
    }
  }

  var objectManagerPath: ObjectPath? { Self.root }
  func managedPaths() -> [ObjectPath] { state.withLock { $0.paths } }
  func managedSize() -> Int { state.withLock { $0.size } }
  var managedStamp: UInt64 { state.withLock { $0.stamp } }
  func childNames(of path: ObjectPath) -> [String] { [] }

  func object(at path: ObjectPath) -> (any ExportedObject)? {
    if path == Self.root { return self }
    guard
      let whenRead = state.withLock({ state -> ((@Sendable (ObjectPath) -> Void)?)? in
        guard state.paths.contains(path) else { return nil }
        state.reads += 1
        return .some(state.whenRead)
      })
    else { return nil }
    whenRead?(path)
    return self
  }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value { .string(name) }
}

/// A source as seen by a caller from whom some objects are hidden.
private struct FewerObjects: ObjectSource {
  let source: ManyObjects
  let hidden: Set<ObjectPath>

  var objectManagerPath: ObjectPath? { source.objectManagerPath }
  var managedStamp: UInt64 { source.managedStamp }
  var managedView: String { "without \(hidden.count)" }
  func object(at path: ObjectPath) -> (any ExportedObject)? { source.object(at: path) }
  func childNames(of path: ObjectPath) -> [String] { [] }
  func managedPaths() -> [ObjectPath] { source.managedPaths().filter { !hidden.contains($0) } }
  func managedSize() -> Int { source.managedSize() }
}
