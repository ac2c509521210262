import CoordinatorBus
import DBus
import Testing

@Suite("Drafts, answers, and attached renderers on the bus", .timeLimit(.minutes(5)))
struct DraftTests {
  private func form() async throws -> (TestDaemon, root: ObjectPath, router: ObjectPath) {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", ["mode": .string("form")], ["token": .string("demo")])
    return (daemon, root, try Contract.routerPath(of: root))
  }

  private func save(_ values: [String: Value], by client: Connection, _ daemon: TestDaemon, _ router: ObjectPath) async throws {
    _ = try await daemon.call(
      router, Contract.routerInterface, "SaveDraft", [.uint64(1), .vardict(values), .vardict([:])], by: client)
  }

  @Test("A saved draft is announced to all clients with its author, and appears in Attach and in the property")
  func draftIsBroadcastAndStoredInScreen() async throws {
    let (daemon, root, router) = try await form()
    var signals = try await daemon.signals().makeAsyncIterator()
    let other = try await daemon.anotherClient()
    try await save(["name": .string("Ad")], by: other, daemon, router)
    #expect(await signals.upTo("Drafted") == ["Drafted /flows/demo/router 1 {name} \(other.uniqueName)"])
    #expect(try await daemon.screens(root).first?["draft"]?.vardict == ["name": .string("Ad")])
    let attached = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    #expect(attached.first?.uint64 == 1)
    #expect(attached.last?.elements?.first?.vardict?["draft"]?.vardict == ["name": .string("Ad")])
    try await save([:], by: other, daemon, router)
    #expect(await signals.upTo("Drafted").last == "Drafted /flows/demo/router 1 {} \(other.uniqueName)")
    #expect(try await daemon.screens(root).first?["draft"] == nil)
    try await daemon.end()
  }

  @Test("Rule 8: A secret in a draft is refused and announced to no client")
  func secretInDraftIsRefused() async throws {
    let (daemon, root, router) = try await form()
    var signals = try await daemon.signals().makeAsyncIterator()
    await expectError("InvalidPayload") {
      try await save(["password": .string("swordfish")], by: daemon.client, daemon, router)
    }
    try await daemon.dismiss(root)
    #expect(await signals.upTo("Dismissed") == ["Dismissed /flows/demo/router 2 1 cancelled true"])
    try await daemon.end()
  }

  @Test("An unknown option of SaveDraft is refused with InvalidArgs")
  func unknownSaveDraftOptionIsInvalid() async throws {
    let (daemon, _, router) = try await form()
    await expectError("InvalidArgs") {
      let arguments: [Value] = [.uint64(1), .vardict([:]), .vardict(["request": .string("a")])]
      _ = try await daemon.call(router, Contract.routerInterface, "SaveDraft", arguments)
    }
    try await daemon.end()
  }

  @Test("Other renderers first learn of an answer: its screen, its event, and the client's kind and name")
  func answerIsAnnouncedToOtherRenderers() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", [:], ["token": .string("demo")])
    let router = try Contract.routerPath(of: root)
    var signals = try await daemon.signals().makeAsyncIterator()
    let web = try await daemon.anotherClient()
    _ = try await daemon.call(
      router, Contract.routerInterface, "Attach", [.vardict(["kind": .string("web")])], by: web)
    try await daemon.delegate(root, 1, "count", by: web)
    #expect(await signals.upTo("Settled").suffix(2).first == "Updated /flows/demo/router 2 1 {body} []")
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    try await daemon.delegate(root, 1, "count", by: web)
    #expect(
      await signals.upTo("Settled").suffix(3) == [
        "Answered /flows/demo/router 3 1 count web \(web.uniqueName)", "Updated /flows/demo/router 3 1 {body} []",
        "Settled /flows/demo/router 3 1",
      ])
    try await daemon.delegate(root, 1, "child")
    #expect(
      await signals.upTo("Presented").suffix(2).first == "Answered /flows/demo/router 4 1 child  \(daemon.client.uniqueName)")
    _ = try await daemon.call(router, Contract.routerInterface, "Back", [.uint64(2), .vardict([:])], by: web)
    #expect(await signals.upTo("Dismissed").suffix(2).first == "Answered /flows/demo/router 5 2  web \(web.uniqueName)")
    try await daemon.end()
  }

  @Test("The attached renderers can be read with the kinds of screens that each can show")
  func attachedRenderersAreReadable() async throws {
    let (daemon, _, router) = try await form()
    let capabilities: [String: Value] = ["kind": .string("lamp"), "kinds": .strings(["progress"])]
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict(capabilities)])
    let renderers = try await daemon.property("Renderers", Contract.routerInterface, at: router)
    #expect(
      renderers.elements?.compactMap(\.vardict) == [
        ["kind": .string("lamp"), "kinds": .strings(["progress"]), "client": .string(daemon.client.uniqueName)]
      ])
    _ = try await daemon.call(router, Contract.routerInterface, "Detach", [])
    #expect(try await daemon.property("Renderers", Contract.routerInterface, at: router).elements?.isEmpty == true)
    await expectError("InvalidArgs") {
      _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict(["kinds": .string("menu")])])
    }
    await expectError("InvalidArgs") {
      let kind = Value.string(String(repeating: "x", count: 65))
      _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict(["kind": kind])])
    }
    try await daemon.end()
  }
}
