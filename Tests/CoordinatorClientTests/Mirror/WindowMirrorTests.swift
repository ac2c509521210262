import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus
import Testing

@Suite("A window mirror on a bus", .timeLimit(.minutes(5)))
struct WindowMirrorTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func truth(_ titles: String...) throws -> ScriptedWindow {
    var truth = ScriptedWindow()
    for title in titles { _ = try truth.transition { try $0.present(title) } }
    return truth
  }

  private func mirror() async throws -> WindowMirror {
    let client = try await DaemonClient.connect(to: .address(bus.address))
    return try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test")
  }

  /// Reads events until the given window appears; older windows may come before.
  private func reach(_ window: MirroredWindow, _ events: inout WindowEvents.Iterator) async throws {
    var open = window
    open.closed = nil
    while let event = try await events.next() {
      if event == .window(window) { return }
      guard case .window(let other) = event, other.revision < window.revision || other == open else {
        Issue.record("an unexpected event")
        return
      }
    }
    Issue.record("the events have ended")
  }

  @Test("The mirror shows the window when it attaches and follows its changes")
  func mirrorShowsAndFollowsTheWindow() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("first"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    try await reach(daemon.window, &events)
    try await daemon.play { try $0.present("second") }
    try await reach(daemon.window, &events)
    try await daemon.play { $0.update(2, title: "changed", accent: "#000000") }
    try await reach(daemon.window, &events)
    #expect(await daemon.attached == 1)
    #expect(await daemon.readings == 0)
  }

  @Test("The mirror says of a window that this client may only see it, once it has asked")
  func mirrorSaysThatAWindowIsClosed() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("first"))
    await daemon.close(because: "only ada may")
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    var closed = await daemon.window
    closed.closed = "only ada may"
    try await reach(closed, &events)
    try await daemon.play { try $0.present("second") }
    closed = await daemon.window
    closed.closed = "only ada may"
    try await reach(closed, &events)
  }

  @Test("The mirror reports progress")
  func mirrorReportsTheProgress() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("first"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    _ = try await events.next()
    try await daemon.progress(1, 0.5)
    #expect(try await events.next() == .progress(screen: 1, CoordinatorKit.Progress(fraction: 0.5)))
  }

  @Test("The mirror reads again once after lost signals and is then up to date")
  func mirrorRereadsAfterLostSignals() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("first"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    try await reach(daemon.window, &events)
    try await daemon.play(isSent: { _ in false }) { try $0.present("lost") }
    try await daemon.play { $0.update(1, title: "seen", accent: nil) }
    try await reach(daemon.window, &events)
    #expect(await daemon.readings == 1)
    try await daemon.play { $0.dismiss(2) }
    try await reach(daemon.window, &events)
    #expect(await daemon.readings == 1)
    #expect(await daemon.attached == 1)
  }

  @Test("The mirror follows a daemon that restarts with a lower revision")
  func mirrorFollowsARestartedDaemon() async throws {
    let first = try await FakeDaemon.start(on: bus, showing: truth("one", "two", "three"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    try await reach(first.window, &events)
    try await first.leave()
    #expect(try await events.next() == .daemonLost)
    let second = try await FakeDaemon.start(on: bus, showing: truth("restarted"))
    #expect(try await events.next() == .daemonBack)
    #expect(try await events.next() == .window(second.window))
    try await second.play { try $0.present("goes on") }
    try await reach(second.window, &events)
    #expect(await second.attached == 1)
  }

  @Test("The flow is reported as lost if the daemon comes back without it")
  func forgottenFlowIsReportedLost() async throws {
    let first = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    _ = try await events.next()
    try await first.leave()
    #expect(try await events.next() == .daemonLost)
    _ = try await FakeDaemon.start(on: bus, hasTree: false, showing: truth())
    #expect(try await events.next() == .ended(.lost))
    #expect(try await events.next() == nil)
  }

  @Test("The end of the flow is reported with its result, and nothing after it")
  func endIsReportedWithItsResult() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    _ = try await events.next()
    try await daemon.end("finished", ["visit": "well"])
    #expect(try await events.next() == .ended(.finished(["visit": "well"])))
    try await daemon.play { try $0.present("ghost") }
    #expect(try await events.next() == nil)
  }

  @Test(
    "A flow that ended with its stopped daemon is reported as stopped, whether or not the daemon still answers", arguments: 0..<8)
  func stoppedDaemonIsReportedAsTheEnd(_: Int) async throws {
    let bus = try PrivateBus()
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let mirror = try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test")
    try await daemon.end("cancelled", ["reason": "stopped"])
    try await daemon.leave()
    var last: WindowEvent?
    for try await event in mirror.events { last = event }
    #expect(last == .ended(.stopped))
  }

  @Test("An end before the mirror attached is reported")
  func earlierEndIsReportedOnAttach() async throws {
    let daemon = try await FakeDaemon.start(on: bus, hasTree: false, showing: truth())
    await daemon.remember("failed", ["code": "broken", "message": "It broke."])
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    #expect(try await events.next() == .ended(.failed(code: "broken", message: "It broke.")))
  }

  @Test("Signals of connections other than the daemon's are ignored")
  func signalsOfOtherClientsAreIgnored() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    try await reach(daemon.window, &events)
    let impostor = try await Connection.open(.address(bus.address))
    try await impostor.emit(
      Signal(
        path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowEnded",
        body: [.objectPath(ScriptedWindow.root), .string("pets"), .string("failed")]))
    // The reply shows that the bus has passed on the signal, which thus reaches the mirror before the next window.
    _ = try await impostor.busID()
    await impostor.close()
    try await daemon.play { try $0.present("two") }
    try await reach(daemon.window, &events)
  }

  @Test("A closed mirror detaches and leaves no match rule")
  func closedMirrorDetachesAndLeavesNoMatchRule() async throws {
    let daemon = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let mirror = try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test")
    await mirror.close()
    #expect(try await mirror.events.first { _ in true } != nil)
    #expect(await daemon.detached == 1)
    // The last reference to a subscription may be released a moment later, and only the bus knows when.
    try await poll { try await matchRules(of: client).isEmpty }
  }

  private func matchRules(of client: DaemonClient) async throws -> [String] {
    let answer = try await client.connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Debug.Stats",
      member: "GetAllMatchRules")
    guard case .dictionary(_, _, let entries)? = answer.first?.unwrapped else { return ["unreadable"] }
    return entries.first { $0.key.string == client.connection.uniqueName }?.value.elements?.compactMap(\.string) ?? []
  }

  @Test("Attaching without a daemon fails with noDaemon")
  func missingDaemonIsReported() async throws {
    let client = try await DaemonClient.connect(to: .address(bus.address))
    await #expect(throws: ClientError.noDaemon) {
      try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test")
    }
  }

  @Test("A lost bus ends the events with an error")
  func lostBusEndsTheEvents() async throws {
    _ = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let mirror = try await mirror()
    var events = mirror.events.makeAsyncIterator()
    _ = try await events.next()
    bus.kill()
    await #expect(throws: ClientError.connection(.disconnected)) {
      while try await events.next() != nil {}
    }
  }

  @Test("A cancelled reader stops waiting")
  func cancelledReaderStopsWaiting() async throws {
    _ = try await FakeDaemon.start(on: bus, showing: truth("one"))
    let mirror = try await mirror()
    let reader = Task {
      var count = 0
      for try await _ in mirror.events { count += 1 }
      return count
    }
    reader.cancel()
    #expect(try await reader.value <= 1)
  }
}
