import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import TestBus
import Testing

@Suite("The objects on the bus", .timeLimit(.minutes(5)))
struct TreeTests {
  private static let standard = ["Introspectable", "Properties", "Peer"].map { "org.freedesktop.DBus.\($0)" }

  /// The contract as documented in this checkout.
  private func contract() throws -> NodeDescription {
    let file = Built.checkedOut("Docs/org.coordinatord.Coordinator1.xml")
    return try NodeDescription(parsing: String(contentsOfFile: file, encoding: .utf8))
  }

  @Test("'busctl tree' shows the live coordinator tree as it grows and after it has ended")
  func busctlTreeShowsTheLiveObjects() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    _ = try await Flow.start("how-to-code", client, options: Options(token: "mine"))
    try await pets.send("schedule-visit")
    let grown = try await daemon.run("busctl", "--user", "tree", Contract.busName)
    #expect(
      grown.output == """
        └─/org
          └─/org/coordinatord
            └─/org/coordinatord/Coordinator1
              └─/org/coordinatord/Coordinator1/flows
                ├─/org/coordinatord/Coordinator1/flows/mine
                │ └─/org/coordinatord/Coordinator1/flows/mine/router
                └─/org/coordinatord/Coordinator1/flows/pets_1
                  ├─/org/coordinatord/Coordinator1/flows/pets_1/router
                  └─/org/coordinatord/Coordinator1/flows/pets_1/schedule_visit_1

        """)
    for flow in try await client.manager.listActive() { _ = try await client.coordinator(flow.coordinator).dismiss() }
    let gone = try await daemon.run("busctl", "--user", "tree", Contract.busName)
    #expect(
      gone.output == """
        └─/org
          └─/org/coordinatord
            └─/org/coordinatord/Coordinator1

        """)
  }

  @Test("The introspection data of every object matches the contract")
  func introspectionMatchesTheContract() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    let contract = try contract()
    try #require(contract.interfaces.map(\.name).map { $0.split(separator: ".").last } == ["Manager", "Coordinator", "Router"])

    let manager = try await client.introspect(Contract.rootPath)
    let objectManager = "org.freedesktop.DBus.ObjectManager"
    #expect(manager.interfaces.first == contract.interfaces[0])
    #expect(Set(manager.interfaces.dropFirst().map(\.name)) == Set(Self.standard + [objectManager]))
    #expect(manager.childNames == ["flows"])

    let root = try await client.introspect(pets.path)
    #expect(root.interfaces.first == contract.interfaces[1])
    #expect(Set(root.interfaces.dropFirst().map(\.name)) == Set(Self.standard))
    #expect(Set(root.childNames) == ["schedule_visit_1", "router"])

    let child = try await client.introspect(pets.path.appending("schedule_visit_1"))
    #expect(child.interfaces.first == contract.interfaces[1])
    #expect(child.childNames.isEmpty)

    let router = try await client.introspect(pets.router.path)
    #expect(router.interfaces.first == contract.interfaces[2])
    #expect(Set(router.interfaces.dropFirst().map(\.name)) == Set(Self.standard))
    #expect(router.childNames.isEmpty)
  }

  @Test("Introspection works on every path that leads to an object, and on no other")
  func everyPathToAnObjectCanBeIntrospected() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    _ = try await Flow.start("pets", client)
    let ways: [(ObjectPath, String)] = [
      ("/", "org"), ("/org", "coordinatord"), ("/org/coordinatord", "Coordinator1"), (Contract.flowsPath, "pets_1"),
    ]
    for (path, child) in ways {
      let node = try await client.introspect(path)
      #expect(node.childNames == [child], "\(path)")
      #expect(!node.interfaces.contains { $0.name.hasPrefix(Contract.busName) }, "\(path)")
    }
    let introspectable = "org.freedesktop.DBus.Introspectable"
    for path: ObjectPath in ["/com", "/org/coordinatord/Coordinator2", "/org/coordinatord/Coordinator1/flows/pets_2"] {
      #expect(try await client.refusal(path, introspectable, "Introspect") == "UnknownObject", "\(path)")
    }
  }

  @Test("'busctl introspect' shows methods, properties with their values, and signals")
  func busctlIntrospectShowsTheCoordinator() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    let report = try await daemon.run("busctl", "--user", "introspect", Contract.busName, pets.path.string)
    let rows = report.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains("\(Contract.coordinatorInterface) interface - - -"), "\(report)")
    #expect(rows.contains(".Delegate method tsa{sv}a{sv} t -"))
    #expect(rows.contains(#".Flow property s "pets" const"#))
    #expect(rows.contains(".Children property ao 0 emits-change"))
    #expect(rows.contains(".Screens property at 1 1 -"))
    #expect(rows.contains(".ChildEnded signal os - -"))
  }

  @Test("GetManagedObjects lists every object with its properties")
  func managedObjectsListsEveryObject() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    let paths = try await client.managedPaths()
    let tree = pets.path.string
    #expect(paths == [Contract.rootPath.string, tree, "\(tree)/router", "\(tree)/schedule_visit_1"])
    let asked = try await daemon.run(
      "busctl", "--user", "--json=short", "call", Contract.busName, Contract.rootPath.string,
      "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    #expect(asked.output.contains(#""Revision":{"type":"t","data":2}"#), "\(asked)")
  }
}
