import CoordinatorBus
import DBus
import Testing

@Suite("Rule 3: Order of a transition's signals", .timeLimit(.minutes(5)))
struct SignalOrderTests {
  @Test("Rule 3: A start announces its objects, the flow, and its screens before the reply")
  func startAnnouncesObjectsFlowAndScreens() async throws {
    let daemon = try await TestDaemon()
    var signals = try await daemon.signals().makeAsyncIterator()
    _ = try await daemon.start("pets", [:], ["token": .string("demo")])
    #expect(
      await signals.upTo("PropertiesChanged") == [
        "InterfacesAdded demo {\(Contract.coordinatorInterface)}",
        "InterfacesAdded demo/router {\(Contract.routerInterface)}", "FlowStarted demo pets",
        "Presented /flows/demo/router 1 \(keys) true", "Settled /flows/demo/router 1 1",
        "PropertiesChanged \(Contract.managerInterface) {ActiveFlows} []",
      ])
    try await daemon.end()
  }

  @Test("Rule 3: An ending child announces its screens, its parent's children, and its end, in this order")
  func endingChildSignalsInOrder() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", [:], ["token": .string("demo")])
    try await daemon.delegate(root, 1, "child")
    var signals = try await daemon.signals().makeAsyncIterator()
    try await daemon.delegate(root.appending("lab_1"), 2, "finish")
    #expect(
      await signals.upTo("InterfacesRemoved") == [
        "Dismissed /flows/demo/router 3 2 finished true", "Settled /flows/demo/router 3 1",
        "PropertiesChanged /flows/demo \(Contract.coordinatorInterface) {Children} []",
        "ChildEnded /flows/demo demo/lab_1 finished",
        "InterfacesRemoved demo/lab_1 [\(Contract.coordinatorInterface)]",
      ])
    try await daemon.end()
  }

  @Test("Rule 3: A dismissed root announces its parts newest first, and the end of the flow last")
  func dismissedRootSignalsNewestFirst() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", [:], ["token": .string("demo")])
    try await daemon.delegate(root, 1, "child")
    var signals = try await daemon.signals().makeAsyncIterator()
    try await daemon.dismiss(root)
    #expect(
      await signals.upTo("FlowEnded") == [
        "Dismissed /flows/demo/router 3 2 cancelled true", "Dismissed /flows/demo/router 3 1 cancelled true",
        "Settled /flows/demo/router 3 0", "PropertiesChanged \(Contract.managerInterface) {ActiveFlows} []",
        "ChildEnded /flows/demo demo/lab_1 cancelled",
        "InterfacesRemoved demo/lab_1 [\(Contract.coordinatorInterface)]",
        "InterfacesRemoved demo [\(Contract.coordinatorInterface)]",
        "InterfacesRemoved demo/router [\(Contract.routerInterface)]", "FlowEnded demo lab cancelled",
      ])
    try await daemon.end()
  }

  @Test("Rule 4: An update carries the changed keys with their whole values, and names the removed ones")
  func updateNamesChangedAndRemovedKeys() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", [:], ["token": .string("demo")])
    var signals = try await daemon.signals().makeAsyncIterator()
    #expect(try await daemon.delegate(root, 1, "count") == 2)
    #expect(
      await signals.upTo("Settled") == [
        "Updated /flows/demo/router 2 1 {body} []", "Settled /flows/demo/router 2 1",
      ])
    #expect(try await daemon.delegate(root, 1, "same") == 2)
    try await daemon.dismiss(root)
    #expect(await signals.upTo("Dismissed") == ["Dismissed /flows/demo/router 3 1 cancelled true"])
    try await daemon.end()
  }

  @Test("Progress is signaled on its own, is readable like any key, and does not change the revision")
  func progressIsReadableWithoutNewRevision() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", [:], ["token": .string("demo")])
    var signals = try await daemon.signals().makeAsyncIterator()
    try await daemon.delegate(root, 1, "work")
    while case .signal(let signal)? = await signals.next() {
      guard case .progress(2, let progress)? = RouterSignal(member: signal.member, body: signal.body) else { continue }
      if progress.fraction == 1 { break }
    }
    let busy = try #require(try await daemon.screens(root).last)
    #expect(busy["progress"]?.vardict?["fraction"]?.double == 1)
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: Contract.routerPath(of: root)) == .uint64(2))
    daemon.spinner.release()
    #expect(await signals.upTo("Settled").last == "Settled /flows/demo/router 3 1")
    try await daemon.end()
  }

  private let keys = "{actions back body coordinator id kind layer name style title}"
}
