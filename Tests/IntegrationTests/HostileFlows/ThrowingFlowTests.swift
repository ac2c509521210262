import CoordinatorBus
import CoordinatorClient
import DBus
import Testing

@Suite("Rule 3: A flow that throws anywhere", .timeLimit(.minutes(5)))
struct ThrowingFlowTests {
  private static let whats = ["failure", "plain", "refusal"]
  /// The handlers whose caller waits for the answer.
  private static let answered = ["receive", "receive-from-child", "receive-without-screen", "screen", "child-ended", "went-back"]
  /// The handlers for which no caller waits.
  private static let unanswered = ["work-ended", "child-ended-later"]

  /// The error names and the failure codes for thrown errors.
  private static let errors = ["failure": "FlowFailed", "plain": "FlowFailed", "refusal": "Denied"]
  private static let codes = ["failure": "thrown", "plain": "error", "refusal": "refused"]

  private static func input(_ place: String, _ what: String) -> [String: Value] {
    ["at": .string(place), "what": .string(what)]
  }

  @Test("A root that throws fails, or its refusal is the reply and changes nothing, and other flows are not affected")
  func throwingRootFailsOrRefuses() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      for what in Self.whats {
        #expect(try await client.tryStart("thrower", Self.input("start", what), token: "start_\(what)") == Self.errors[what])
        for place in Self.answered + Self.unanswered {
          let name = "\(place)_\(what)".replacing("-", with: "_")
          #expect(try await client.tryStart("thrower", Self.input(place, what), token: name) == nil)
          try await expectThrow(client, daemon, Contract.flowPath(root: name), place, what, screen: 1)
        }
      }
      // While other flows throw.
      try await neighbour.plays()
      let survivors = try await client.manager.listActive().filter { $0.flow == "thrower" }
      #expect(survivors.count == Self.answered.count)
      for flow in survivors { #expect(try await client.tryDismiss(flow.coordinator) == nil) }
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("A child that throws leaves its parent and its siblings as they were")
  func throwingChildLeavesParentAndSiblingsAlone() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    try await Neighbour.accompanies(daemon) { _ in
      let client = try await daemon.client()
      #expect(try await client.tryStart("thrower", Self.input("nowhere", "plain"), token: "parent") == nil)
      let parent = try Flow(client, Contract.flowPath(root: "parent"))
      #expect(try await client.tryStartChild(of: parent.path, "thrower", Self.input("nowhere", "plain")) == nil)
      let before = try await parent.router.window().screens
      for what in Self.whats {
        let start = Self.input("start", what)
        #expect(try await client.tryStartChild(of: parent.path, "thrower", start) == Self.errors[what])
        for place in Self.answered + Self.unanswered {
          let path = try await client.coordinator(parent.path).startChild(
            "thrower", input: ["at": .string(place), "what": .string(what)])
          try await expectThrow(client, daemon, path, place, what, screen: try await parent.top())
          if try await client.manager.outcome(of: path) == nil { #expect(try await client.tryDismiss(path) == nil) }
          #expect(try await parent.router.window().screens == before, "\(place) \(what)")
        }
      }
      #expect(try await parent.coordinator.details().children.count == 1)
      #expect(try await client.trySend("count", to: parent.path.appending("thrower_1"), screen: parent.top()) == nil)
      #expect(try await parent.router.window().screens.map(\.screen.body) == ["0", "1"])
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  /// Makes a flow throw and checks the reply and the outcome.
  private func expectThrow(
    _ client: DaemonClient, _ daemon: RunningDaemon, _ path: ObjectPath, _ place: String, _ what: String, screen: UInt64
  ) async throws {
    let comment: Comment = "\(path): \(place) \(what)"
    let signals = try await client.signals(of: daemon)
    let isAnswered = Self.answered.contains(place)
    let error = try await trigger(client, path, place, screen)
    #expect(error == (isAnswered ? Self.errors[what] : nil), comment)
    guard isAnswered, what == "refusal" else {
      #expect(try await client.end(of: path, told: signals) == Self.codes[what], comment)
      return
    }
    #expect(try await client.manager.outcome(of: path) == nil, comment)
    let shown = try await Flow(client, #require(Contract.root(of: path))).router.window().screens
    #expect(shown.filter { $0.coordinator == path }.map(\.screen.body) == Self.shown[place] ?? ["0"], comment)
  }

  /// The screens before the handler throws, where they differ from the initial screen.
  private static let shown = ["receive-from-child": ["100"], "went-back": ["100", "100"]]

  /// Triggers the handler that throws.
  private func trigger(
    _ client: DaemonClient, _ path: ObjectPath, _ place: String, _ screen: UInt64
  ) async throws -> String? {
    switch place {
    case "receive-without-screen": return try await client.trySend("anything", to: path, screen: 0)
    case "receive-from-child":
      #expect(try await client.trySend("go", to: path, screen: screen) == nil)
      return try await client.trySend("up", to: path.appending("thrower_1"), screen: screen + 1)
    case "went-back":
      #expect(try await client.trySend("go", to: path, screen: screen) == nil)
      return try await client.tryBack(from: screen + 1, of: #require(Contract.root(of: path)))
    default: return try await client.trySend("go", to: path, screen: screen)
    }
  }
}
