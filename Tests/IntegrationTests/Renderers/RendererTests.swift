import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("Several renderers on one flow tree", .timeLimit(.minutes(5)))
struct RendererTests {
  @Test("All renderers of a tree hear the same signals in the same order and end with the same outcome")
  func allRenderersSeeTheSameSignals() async throws {
    let daemon = try await RunningDaemon.start()
    let clients = [try await daemon.client(), try await daemon.client()]
    let pets = try await Flow.start("pets", try await daemon.client())
    var heard: [SignalSequence] = []
    var mirrors: [WindowMirror] = []
    for client in clients {
      heard.append(
        try await client.connection.signals(matching: MatchRule(path: pets.router.path, interface: Contract.routerInterface)))
      mirrors.append(try await WindowMirror.attach(to: pets.path, of: client, kind: "test"))
    }
    #expect(try await clients[0].managerProperty("Renderers") == .uint32(2))

    for event in ["schedule-visit", "sick", "little"] { try await pets.send(event) }
    _ = try await pets.router.back(screen: pets.top())
    for event in ["severe", "okay"] { try await pets.send(event) }
    _ = try await pets.coordinator.dismiss()

    let transcripts = [await Self.untilEmpty(heard[0]), await Self.untilEmpty(heard[1])]
    #expect(transcripts[0] == transcripts[1])
    #expect(transcripts[0].map(\.member) == Self.expected)
    #expect(transcripts[0].filter { $0.member == "Settled" }.map(\.body[0]) == (2...8).map { Value.uint64($0) })

    let windows = [try await Self.everything(mirrors[0]), try await Self.everything(mirrors[1])]
    #expect(windows[0].last == .ended(.cancelled))
    #expect(windows[1].last == .ended(.cancelled))
  }

  /// The signals of: start visit, sick, little, back, severe, okay, dismiss.
  private static let expected = [
    "Answered", "Presented", "Settled", "Answered", "Presented", "Settled", "Answered", "Presented", "Settled", "Answered",
    "Dismissed", "Settled", "Answered", "Presented", "Settled", "Answered", "Dismissed", "Dismissed", "Dismissed", "Updated",
    "Settled", "Dismissed", "Settled",
  ]

  /// Returns the signals up to the one after which no screen is left.
  private static func untilEmpty(_ signals: SignalSequence) async -> [SignalMessage] {
    var result: [SignalMessage] = []
    for await case .signal(let signal) in signals {
      result.append(signal)
      if signal.member == "Settled", signal.body.last == .uint64(0) { break }
    }
    return result
  }

  private static func everything(_ mirror: WindowMirror) async throws -> [WindowEvent] {
    var result: [WindowEvent] = []
    for try await event in mirror.events { result.append(event) }
    return result
  }
}
