import TestBus
import Testing

@testable import DBus

@Suite("Watches on the owners of names", .timeLimit(.minutes(5)))
struct OwnerWatchTests {
  private let name = "org.example.Owned"

  @Test("A watch reports the owner once it is known, then each change, until it is cancelled")
  func changesAreTold() async throws {
    let bus = try PrivateBus()
    let connection = try await Connection.open(.address(bus.address))
    let one = try await Connection.open(.address(bus.address))
    let two = try await Connection.open(.address(bus.address))
    let owners = Observed<[String?]>([])
    let watch = await connection.watchOwner(of: name) { owner in owners.update { $0.append(owner) } }
    try await owners.until { $0.count == 1 }
    #expect(try await one.requestName(name, allowReplacement: true) == .primaryOwner)
    try await owners.until { $0.count == 2 }
    #expect(try await two.requestName(name, replace: true) == .primaryOwner)
    try await owners.until { $0.count == 3 }
    let late = Observed<[String?]>([])
    let second = await connection.watchOwner(of: name) { owner in late.update { $0.append(owner) } }
    try await late.until { $0 == [two.uniqueName] }
    try await bus.disconnect(one)
    try await bus.disconnect(two)
    try await owners.until { $0.count == 4 }
    #expect(owners.value == [nil, one.uniqueName, two.uniqueName, nil])
    watch.cancel()
    let three = try await Connection.open(.address(bus.address))
    #expect(try await three.requestName(name) == .primaryOwner)
    try await late.until { $0.count == 3 }
    #expect(owners.value.count == 4)
    second.cancel()
  }

  @Test("When a call that has changed an owner is answered, the watch has run")
  func watchRunsBeforeTheAnswer() async throws {
    let bus = try PrivateBus()
    let connection = try await Connection.open(.address(bus.address))
    let owners = Observed<[String?]>([])
    _ = await connection.watchOwner(of: name) { owner in owners.update { $0.append(owner) } }
    try await owners.until { $0.count == 1 }
    _ = try await connection.requestName(name)
    #expect(owners.value == [nil, connection.uniqueName])
  }
}
