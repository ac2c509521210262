import CoordinatorKit
import CoordinatorTestKit

@testable import first_boot_daemon

/// A user who sets up a simulated machine: knows what to answer to each screen, and answers until the end.
struct Walk {
  let machine: SimulatedMachine
  var flow: TestFlow
  var password = "correct horse"
  var passphrase = "open-sesame"
  var network: String? = "Home"

  /// Starts a flow on a machine.
  init(_ machine: SimulatedMachine, flow name: String = "first-boot", holdingWork: Bool = false) async throws {
    self.machine = machine
    flow = try await TestFlow.start(name, in: .settingUp(machine.machine), holdingWork: holdingWork)
    flow.setRenderer(isAttached: true)
  }

  /// Answers the screen on top once, unless it is replaced meanwhile, as after a restart that has lost a secret.
  func answer() async throws {
    do {
      try await answerTop()
    } catch CallError.staleScreen, CallError.unknownCoordinator {
    }
  }

  private func answerTop() async throws {
    let top = try await flow.top.content
    switch top.name {
    case "language": try await flow.select("de_DE.UTF-8")
    case "keyboard", "time-zone": try await flow.select(top.choosing?.initial.first ?? "")
    case "host-name": try await flow.send("next", ["name": "kitchen"])
    case "networks":
      guard let network else {
        try await flow.send("skip")
        return
      }
      _ = try await flow.state { $0.window.top?.content.items?.contains { $0.id == network } == true }
      try await flow.select(network)
    case "network-details":
      let secret: [String: JSONValue] = top.form?.fields.first?.name == "passphrase" ? ["passphrase": .string(passphrase)] : [:]
      try await flow.send("join", secret.merging(["method": "automatic"]) { $1 })
    case "user":
      try await flow.send(
        "next", ["name": "Ada Lovelace", "login": "ada", "password": .string(password), "repeated": .string(password)])
    case "review": try await flow.send("apply")
    case "applying": _ = try await flow.state { $0.window.top?.content.name != "applying" }
    case "done": try await flow.send(top.actions.contains { $0.id == "finish" } ? "finish" : "finish-without")
    default: throw Unknown(screen: top.name)
    }
  }

  /// Answers until a screen is shown.
  func reach(_ screen: String) async throws {
    while try await flow.top.content.name != screen { try await answer() }
  }

  /// Answers until the flow has ended.
  func end() async throws -> Outcome {
    try await reach("done")
    try await answer()
    return try await flow.outcome
  }

  mutating func restart() async throws {
    flow = try await flow.restarted()
    flow.setRenderer(isAttached: true)
  }

  struct Unknown: Error { var screen: String }
}
