import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorDaemon
@testable import ProviderFiles

@Suite("Who serves which flow", .timeLimit(.minutes(5)))
struct ProviderTableTests {
  private static let name = "com.example.Cafe"

  private func file(_ flows: String..., name: String = name, path: String = "/a.conf", user: UInt32? = nil) -> ProviderFile {
    ProviderFile(
      path: path, busName: name, title: nil, objectPath: "/file", user: user, children: nil, concurrency: 16,
      flows: flows.map {
        RegisteredFlow(
          description: FlowDescription($0, title: "File"), schemas: FlowSchemas(result: nil, output: nil), version: 1,
          deadline: .seconds(5))
      })
  }

  private func files(_ files: ProviderFile...) -> ProviderFiles {
    ProviderFiles(files.map { ProviderFile.Reading(path: $0.path, file: $0, busName: $0.busName, problems: []) })
  }

  private func registration(_ owner: String, _ flows: String..., name: String = "") -> FlowRegistration {
    FlowRegistration(
      owner: owner, name: name, path: "/own",
      flows: flows.map {
        RegisteredFlow(
          description: FlowDescription($0, title: "Own"), schemas: FlowSchemas(result: nil, output: nil), version: 1,
          wantsLooking: false, deadline: .seconds(5))
      })
  }

  private func owners(_ table: ProviderTable, _ flows: String...) -> [String?] { flows.map { table.provider(of: $0)?.owner } }

  @Test("Without a file, the first connection gets a flow, and loses it when it leaves")
  func firstCome() {
    var table = ProviderTable()
    #expect(table.register(registration(":1.1", "coffee", "tea")).added == ["coffee", "tea"])
    #expect(table.taken(from: registration(":1.2", "tea", "milk")) == ["tea": ":1.1"])
    #expect(table.taken(from: registration(":1.1", "tea", "milk")) == [:])
    let change = table.register(registration(":1.1", "tea", "milk"))
    #expect(change.added == ["milk"] && change.removed == ["coffee"])
    #expect(table.unregister(["tea"], of: ":1.1").removed == ["tea"])
    #expect(table.unregister(nil, of: ":1.1").removed == ["milk"])
    #expect(table.all.isEmpty && table.served.isEmpty)
  }

  @Test("Registrations are limited per provider and in total, and a provider that replaces its registration is not counted twice")
  func registrationsAreLimited() {
    var table = ProviderTable()
    var limits = DaemonLimits()
    (limits.maxRegisteredFlows, limits.maxRegisteredBytes) = (5, 1000)
    func excess(_ flows: Int, _ size: Int, _ owner: String, _ name: String = "") -> String? {
      table.excess(flows, size: size, by: owner, as: name, limits: limits)
    }
    #expect(excess(1001, 0, ":1.1")?.contains("more than 1000 flows") == true)
    #expect(excess(1, 5 << 20, ":1.1")?.contains("more than 4194304 bytes") == true)
    #expect(excess(6, 0, ":1.1")?.contains("together must not serve more than 5 flows") == true)
    #expect(excess(5, 1001, ":1.1")?.contains("together must not take up more than 1000 bytes") == true)
    #expect(excess(5, 1000, ":1.1") == nil)
    _ = table.register(registration(":1.1", "coffee", "tea", "milk", name: Self.name))
    #expect(excess(3, 0, ":1.2") != nil && excess(2, 0, ":1.2") == nil)
    #expect(excess(5, 0, ":1.1") == nil, "the connection replaces its own list")
    #expect(excess(5, 0, ":1.3", Self.name) == nil, "a successor replaces the list of its name")
    limits.maxRegisteredFlows = 2
    #expect(excess(3, 0, ":1.1") == nil && excess(4, 0, ":1.1") != nil, "a lower limit takes nothing away")
  }

  @Test("A flow that goes to another program is listed anew, also while neither runs")
  func movedFlowsAreListed() {
    var table = ProviderTable()
    _ = table.set(files(file("coffee", "tea")))
    let change = table.set(files(file("coffee"), file("tea", name: "com.example.Tea", path: "/b.conf")))
    #expect(change.moved == ["tea"] && change.listed == ["tea"] && !change.isEmpty)
  }

  @Test("The owner of a file's name serves its flow, whatever else is registered, and a removed file gives it back")
  func filesBeatRegistrations() {
    var table = ProviderTable()
    _ = table.register(registration(":1.1", "coffee"))
    let change = table.set(files(file("coffee", "tea")))
    #expect(change.added == ["tea"] && change.removed.isEmpty)
    #expect(owners(table, "coffee", "tea") == [nil, nil])
    #expect(table.provider(of: "coffee")?.path == "/file" && table.provider(of: "coffee")?.mayBeActivated == true)
    let appeared = table.setOwner(of: Self.name, .connection(":1.2"))
    #expect(appeared.appeared == ["coffee", "tea"] && appeared.added.isEmpty)
    #expect(table.taken(from: registration(":1.1", "coffee")) == ["coffee": Self.name])
    #expect(table.taken(from: registration(":1.2", "coffee")) == [:])
    let described = table.register(registration(":1.2", "coffee", name: Self.name))
    #expect(described.described.map(\.description.title) == ["Own"])
    #expect(table.provider(of: "coffee")?.path == "/own" && table.provider(of: "tea")?.path == "/file")
    #expect(table.setOwner(of: Self.name, .nobody).described.map(\.description.title) == ["File"])
    _ = table.set(.none)
    #expect(owners(table, "coffee", "tea") == [":1.1", nil])
  }

  @Test("The owner of a registration's name serves its flows, and a process that has lost the name takes nothing with it")
  func namesAreHandedOver() {
    var table = ProviderTable()
    _ = table.register(registration(":1.1", "coffee", name: Self.name))
    let change = table.setOwner(of: Self.name, .connection(":1.2"))
    #expect(change.appeared == ["coffee"] && change.added.isEmpty && change.removed.isEmpty)
    #expect(table.unregister(nil, of: ":1.1").isEmpty)
    #expect(owners(table, "coffee") == [":1.2"])
    #expect(table.setOwner(of: Self.name, .nobody).removed == ["coffee"])
    #expect(table.names.isEmpty)
  }

  @Test("On the system bus, only a name with a file may serve, and only for a trusted owner")
  func systemBus() {
    var table = ProviderTable()
    _ = table.set(files(file("coffee")))
    let own = registration(":1.1", "coffee", "more", name: Self.name)
    #expect(table.refusal(of: own, owners: [:], isSystem: true)?.contains("does not own") == true)
    _ = table.setOwner(of: Self.name, .refused("owned by user 1000"))
    #expect(table.refusal(of: own, owners: [:], isSystem: true) == "owned by user 1000")
    #expect(table.trouble(of: Self.name) == "owned by user 1000")
    _ = table.setOwner(of: Self.name, .connection(":1.1"))
    #expect(table.refusal(of: own, owners: [:], isSystem: true) == nil)
    #expect(table.refusal(of: registration(":1.1", "coffee"), owners: [:], isSystem: true) == nil)
    #expect(table.refusal(of: registration(":1.1", "tea"), owners: [:], isSystem: true) != nil)
    let other = registration(":1.1", "tea", name: "com.example.Other")
    #expect(table.refusal(of: other, owners: ["com.example.Other": .connection(":1.1")], isSystem: true) != nil)
    #expect(table.refusal(of: other, owners: ["com.example.Other": .connection(":1.1")], isSystem: false) == nil)
    #expect(table.refusal(of: other, owners: ["com.example.Other": .connection(":1.3")], isSystem: false) != nil)
  }

  @Test("An owner that may no longer serve, because its file is gone, loses the flows that it has registered")
  func refusedOwnerLosesItsFlows() {
    var table = ProviderTable()
    _ = table.set(files(file("coffee")))
    _ = table.setOwner(of: Self.name, .connection(":1.1"))
    _ = table.register(registration(":1.1", "coffee", "more", name: Self.name))
    #expect(owners(table, "coffee", "more") == [":1.1", ":1.1"])
    _ = table.set(.none)
    #expect(table.setOwner(of: Self.name, .refused("no provider file")).removed == ["coffee", "more"])
    #expect(owners(table, "coffee", "more") == [nil, nil])
  }

  @Test("A program that could not be started five times within a minute is left alone until the first failure is a minute ago")
  func starts() {
    var table = ProviderTable()
    _ = table.set(files(file("coffee")))
    let begin = ContinuousClock.now
    for second in 0..<5 {
      let now = begin + .seconds(second)
      let isAllowed = table.mayStart(Self.name, at: now)
      #expect(isAllowed)
      table.startFailed(Self.name, "it cannot be started", at: now)
    }
    let (early, late) = (
      table.mayStart(Self.name, at: begin + .seconds(59)), table.mayStart(Self.name, at: begin + .seconds(60))
    )
    #expect(!early && late)
    #expect(table.trouble(of: Self.name) == "it cannot be started")
    _ = table.setOwner(of: Self.name, .connection(":1.1"))
    let isAllowed = table.mayStart(Self.name, at: begin)
    #expect(table.trouble(of: Self.name) == nil && isAllowed)
  }
}
