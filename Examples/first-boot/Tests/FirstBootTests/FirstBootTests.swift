import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import first_boot_daemon

@Suite("The wizard", .timeLimit(.minutes(5)))
struct FirstBootTests {
  private let machine = SimulatedMachine()

  static let everything = [
    "user ada", "password ada", "join Home", "hostName kitchen", "language de_DE.UTF-8", "keyboard de", "timeZone Europe/Berlin",
  ]

  @Test("Everything that was answered is applied, once, and is the result")
  func everythingIsApplied() async throws {
    let outcome = try await Walk(machine).end()
    #expect(machine.done == Self.everything)
    #expect(machine.state.last == "ada Ada Lovelace correct horse")
    #expect(
      outcome
        == .finished([
          "language": "de_DE.UTF-8", "keyboard": "de", "timeZone": "Europe/Berlin", "hostName": "kitchen", "network": "Home",
          "login": "ada", "applied": ["user", "password", "network", "hostName", "language", "keyboard", "timeZone"],
          "notApplied": [],
        ]))
  }

  @Test("Nothing happens to the machine before the answers are applied")
  func nothingHappensBefore() async throws {
    try await Walk(machine).reach("review")
    #expect(machine.done.isEmpty)
  }

  @Test("A machine that is so already is left alone")
  func machineThatIsSoAlready() async throws {
    machine.contents.withLock { contents in
      contents.values = [.hostName: "kitchen", .timeZone: "Europe/Berlin"]
      contents.users["ada"] = "Ada Lovelace"
    }
    _ = try await Walk(machine).end()
    #expect(machine.done == ["password ada", "join Home", "language de_DE.UTF-8", "keyboard de"])
  }

  @Test("Without a network, everything else is applied")
  func withoutNetwork() async throws {
    var walk = try await Walk(machine)
    walk.network = nil
    _ = try await walk.end()
    #expect(machine.done == Self.everything.filter { $0 != "join Home" })
  }

  @Test("An open network and a cable need no passphrase", arguments: ["Guests", "eth0"])
  func withoutPassphrase(network: String) async throws {
    var walk = try await Walk(machine)
    walk.network = network
    _ = try await walk.end()
    #expect(machine.done.contains("join \(network)"))
  }

  @Test("An address can be given")
  func staticAddress() async throws {
    let walk = try await Walk(machine)
    try await walk.reach("network-details")
    await #expect(throws: CallError.self) { try await walk.flow.send("join", ["passphrase": "open-sesame", "method": "manual"]) }
    try await walk.flow.send(
      "join", ["passphrase": "open-sesame", "method": "manual", "address": "192.0.2.5/24", "gateway": "192.0.2.1"])
    _ = try await walk.end()
    #expect(machine.done.contains("join Home as 192.0.2.5/24"))
  }

  @Test(
    "Each answer can be changed on the review",
    arguments: [("Time zone", "time-zone"), ("Network", "networks"), ("User", "user")])
  func answersCanBeChanged(title: String, screen: String) async throws {
    let walk = try await Walk(machine)
    try await walk.reach("review")
    let row = try #require(try await walk.flow.top.content.review.first { $0.title == title }?.screen)
    try await walk.flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    #expect(try await walk.flow.top.content.name == screen)
    if screen == "time-zone" { try await walk.flow.select("UTC") }
    _ = try await walk.end()
    #expect(machine.done.last == (screen == "time-zone" ? "timeZone UTC" : "timeZone Europe/Berlin"))
    #expect(machine.done.count == Self.everything.count)
  }

  @Test("A network that is chosen instead of another one does not get its passphrase", arguments: ["Guests", "eth0"])
  func passphraseIsForgotten(network: String) async throws {
    var walk = try await Walk(machine)
    try await walk.reach("review")
    let row = try #require(try await walk.flow.top.content.review.first { $0.title == "Network" }?.screen)
    try await walk.flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    walk.network = network
    _ = try await walk.end()
    #expect(machine.done.contains("join \(network)"))
  }

  @Test(
    "If a service refuses, the user sees its reason, everything else is applied, and trying again applies only what is missing",
    arguments: SetupStep.allCases)
  func serviceRefuses(step: SetupStep) async throws {
    machine.refuse(step)
    let walk = try await Walk(machine)
    try await walk.reach("done")
    let top = try await walk.flow.top.content
    #expect(top.title == "Not everything could be applied")
    #expect(top.markup?.plain.contains("\(step.title.resolved(in: nil)): The service is broken.") == true)
    machine.refuse()
    try await walk.flow.send("apply")
    try await walk.reach("done")
    #expect(try await walk.flow.top.content.title == "This machine is ready")
    #expect(machine.done.sorted() == Self.everything.sorted())
  }

  @Test("The user may finish without what a service refuses, which the result names")
  func finishWithout() async throws {
    machine.refuse(.timeZone)
    let walk = try await Walk(machine)
    try await walk.reach("done")
    // An event for the screen without failures, such as from an answers file, does not answer this one.
    await #expect(throws: CallError.self) { try await walk.flow.send("finish") }
    let outcome = try await walk.end()
    guard case .finished(let result) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(result["notApplied"] == ["timeZone"])
  }

  @Test("A passphrase that is not right is typed again, and what was applied stays as it is")
  func wrongPassphrase() async throws {
    var walk = try await Walk(machine)
    walk.passphrase = "sesame-open"
    try await walk.reach("done")
    try await walk.flow.send("change")
    let row = try #require(try await walk.flow.top.content.review.first { $0.title == "Network" }?.screen)
    try await walk.flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    walk.passphrase = "open-sesame"
    try await walk.flow.send("next", ["name": "kitchen"])
    try await walk.answer()
    try await walk.answer()
    #expect(try await walk.flow.top.content.name == "review")
    try await walk.answer()
    _ = try await walk.end()
    #expect(machine.done.sorted() == Self.everything.sorted())
  }

  @Test("Log-in names of the system, passwords that differ, and names of others are refused")
  func refusedUsers() async throws {
    let walk = try await Walk(machine)
    try await walk.reach("user")
    func send(_ login: String, _ repeated: String) async throws {
      let payload: [String: JSONValue] = [
        "name": "Ada Lovelace", "login": .string(login), "password": "correct horse", "repeated": .string(repeated),
      ]
      try await walk.flow.send("next", payload)
    }
    await #expect(throws: CallError.refused(.invalidPayload(["login": "is taken"]))) { try await send("root", "correct horse") }
    await #expect(throws: CallError.self) { try await send("ada", "correct donkey") }
    machine.contents.withLock { $0.users["ada"] = "Somebody Else" }
    try await walk.reach("done")
    #expect(try await walk.flow.top.content.markup?.plain.contains("User: ada is somebody else.") == true)
    #expect(machine.contents.withLock(\.passwords).isEmpty)
  }

  @Test("A user who already existed keeps the password, and the screen says so unless the typed password is the same")
  func userHasPassword() async throws {
    machine.contents.withLock { ($0.users["ada"], $0.passwords["ada"]) = ("Ada Lovelace", "battery staple") }
    var walk = try await Walk(machine)
    try await walk.reach("done")
    #expect(try await walk.flow.top.content.markup?.plain.contains("Password: ada has another password already.") == true)
    try await walk.flow.send("change")
    let row = try #require(try await walk.flow.top.content.review.first { $0.title == "User" }?.screen)
    try await walk.flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    walk.password = "battery staple"
    _ = try await walk.end()
    #expect(!machine.done.contains { $0.hasSuffix("ada") })
    #expect(machine.contents.withLock(\.passwords) == ["ada": "battery staple"])
  }

  @Test("A walk takes every path, and no path leaves the flow")
  func explored() async throws {
    let person: [String: JSONValue] = ["name": "Ada", "login": "ada", "password": "correct horse", "repeated": "correct horse"]
    var explorer = try FlowExplorer(
      "first-boot", in: .settingUp(SimulatedMachine(forgetsEverything: true).machine),
      answers: [
        "user": [person], "host-name": [["name": "kitchen"]],
        "network-details": [["passphrase": "open-sesame", "method": "automatic"]],
      ], maxStates: 300, itemsPerList: 1)
    explorer.triesOnlyAnswers = true
    let screens: Set = [
      "language", "keyboard", "time-zone", "host-name", "networks", "network-details", "user", "review", "applying", "done",
    ]
    try await explorer.walk().expect(screens: screens, refusingCancel: screens)
  }
}
