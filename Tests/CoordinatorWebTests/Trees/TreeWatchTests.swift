import CoordinatorClient
import CoordinatorKit
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("Following a flow tree for browsers", .timeLimit(.minutes(5)))
struct TreeWatchTests {
  @Test("If a user types while the server attaches, the first state is still the first window")
  func typingIsNoWindow() async throws {
    let bus = try PrivateBus()
    let daemon = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    await daemon.beforeAttaching { try $0.type(["username": .string("an")]) }
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let watch = try await TreeWatch.attach(to: TreeDaemon.root, of: client, languages: .standard)
    #expect(await watch.wait()?.window?.top?.id == 1)
    await watch.close()
  }
}
