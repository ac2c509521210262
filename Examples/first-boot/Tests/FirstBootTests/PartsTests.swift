import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import first_boot_daemon

@Suite("The network and the user, on their own", .timeLimit(.minutes(5)))
struct PartsTests {
  private let machine = SimulatedMachine()

  @Test("A separate flow joins a network")
  func network() async throws {
    let walk = try await Walk(machine, flow: "network-setup")
    try await walk.answer()
    try await walk.answer()
    _ = await walk.flow.renderer.state { [root = walk.flow.tree.root] in $0.outcomes[root] != nil }
    #expect(try await walk.flow.outcome == .finished(["network": "Home"]))
    #expect(machine.done == ["join Home"])
  }

  @Test("After a wrong passphrase, the user sees an error and types it again")
  func wrongPassphrase() async throws {
    var walk = try await Walk(machine, flow: "network-setup")
    walk.passphrase = "sesame-open"
    try await walk.answer()
    try await walk.answer()
    let state = try await walk.flow.state { $0.window.top?.messages.isEmpty == false }
    #expect(state.window.top?.messages.map(\.text) == ["Home does not let this machine in."])
    walk.passphrase = "open-sesame"
    try await walk.answer()
    _ = await walk.flow.renderer.state { [root = walk.flow.tree.root] in $0.outcomes[root] != nil }
    #expect(machine.done == ["join Home"])
  }

  @Test("The list follows what is within reach, and says why there is nothing")
  func list() async throws {
    let walk = try await Walk(machine, flow: "network-setup")
    _ = try await walk.flow.state { $0.window.top?.content.items?.count == 3 }
    machine.contents.withLock { $0.inReach = [Network(name: "Attic", strength: 20)] }
    try await walk.flow.advance(by: .seconds(2))
    #expect(try await walk.flow.top.content.items?.map(\.title) == ["Attic"])
    #expect(machine.done.isEmpty)
  }

  @Test("A separate flow adds a user, and a link may fill its form")
  func user() async throws {
    let walk = try await Walk(machine, flow: "user-setup")
    try await walk.answer()
    _ = await walk.flow.renderer.state { [root = walk.flow.tree.root] in $0.outcomes[root] != nil }
    #expect(try await walk.flow.outcome == .finished(["login": "ada"]))
    #expect(machine.done == ["user ada", "password ada"])
    let linked = try await TestFlow.start("user-setup", input: ["login": "grace"], in: .settingUp(machine.machine))
    #expect(try await linked.top.content.values["login"] == "grace")
  }

  @Test("A password with a line break or another control character is refused", arguments: ["\n", "\r", "\t", "\u{0}", "\u{7F}"])
  func passwordWithControlCharacter(character: String) async throws {
    let walk = try await Walk(machine, flow: "user-setup")
    let password = JSONValue.string("12345678\(character)root:hacked-root")
    let payload: [String: JSONValue] = ["name": "Ada Lovelace", "login": "ada", "password": password, "repeated": password]
    await #expect {
      try await walk.flow.send("next", payload)
    } throws: { error in
      guard case CallError.invalidPayload(let problems) = error else { return false }
      return Set(problems.keys) == ["password", "repeated"]
    }
    #expect(machine.done.isEmpty)
  }
}
