import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("The list of flows, as a whole and in parts", .timeLimit(.minutes(5)))
struct FlowListTests {
  private func entry(_ name: String, title: String = "") -> FlowList.Entry {
    FlowList.Entry(name, ["name": .string(name), "title": .string(title)])
  }

  private func names(_ values: [[String: Value]]) -> [String] { values.compactMap { $0["name"]?.string } }

  @Test("A change replaces, adds and removes its own entries, and the order of bytes stays", arguments: [1, 2, 3] as [UInt64])
  func updates(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var list = FlowList([])
    var expected: [String: String] = [:]
    for round in 0..<200 {
      let count = Int.random(in: 0...5, using: &generator)
      let changed = Set((0..<count).map { _ in "f\(Int.random(in: 0...30, using: &generator))" })
      let removed = changed.filter { _ in Bool.random(using: &generator) }
      list.update(changed) { removed.contains($0) ? nil : entry($0, title: "\(round)") }
      for name in changed { expected[name] = removed.contains(name) ? nil : "\(round)" }
      #expect(list.entries.map(\.name) == expected.keys.sorted())
      #expect(list.entries.allSatisfy { $0.values["title"]?.string == expected[$0.name] })
      #expect(list.size == list.entries.reduce(0) { $0 + $1.size })
    }
  }

  @Test("Parts contain every flow once, whatever their size, and leave out what the caller must not see")
  func parts() {
    let all = (0..<100).map { "flow-\($0)" }.sorted()
    let list = FlowList(all.map { entry($0, title: String(repeating: "x", count: 100)) })
    let hidden: Set = [all[0], all[50], all[99]]
    for count in [1, 7, 100, Int.max] {
      for bytes in [0, 1000, 1 << 20] {
        var (seen, last, hasMore) = ([String](), "", true)
        while hasMore {
          let page = list.page(after: last, count: count, bytes: bytes, hiding: hidden)
          seen += names(page.entries)
          hasMore = page.hasMore
          guard let name = names(page.entries).last else { break }
          last = name
        }
        #expect(seen == all.filter { !hidden.contains($0) })
      }
    }
    #expect(names(list.page(after: "flow-5a", count: 1, bytes: 0, hiding: []).entries) == ["flow-6"])
    #expect(!list.page(after: "zzz", count: 1, bytes: 0, hiding: []).hasMore)
  }

  @Test("ListFlowsAfter returns what ListFlows does, part by part, also of flows that come and go")
  func overTheBus() async throws {
    let daemon = try await TestDaemon()
    let provider = TestProvider(try await daemon.anotherClient()) { _ in nil }
    try await provider.serve(.flow("aa", ["summary": .string(String(repeating: "x", count: 4000))]), .flow("zz"))
    func whole() async throws -> [[String: Value]] {
      try await daemon.manager("ListFlows").first?.elements?.compactMap(\.vardict) ?? []
    }
    func inParts(of count: UInt32) async throws -> [[String: Value]] {
      var (found, last, hasMore) = ([[String: Value]](), "", true)
      while hasMore {
        let reply = try await daemon.manager("ListFlowsAfter", [.string(last), .uint32(count)])
        let part = reply[0].elements?.compactMap(\.vardict) ?? []
        #expect(count == 0 || part.count <= Int(count))
        found += part
        hasMore = reply[1].bool == true && !part.isEmpty
        last = names(part).last ?? ""
      }
      return found
    }
    for count: UInt32 in [0, 1, 3] { #expect(try await inParts(of: count) == whole()) }
    let before = try await names(whole())
    #expect(before.first == "aa" && before.last == "zz")
    try await provider.serve(.flow("bb"))
    #expect(try await inParts(of: 2) == whole())
    let after = try await names(whole())
    #expect(!after.contains("aa") && after.contains("bb"))
    await expectError("InvalidArgs") { _ = try await daemon.manager("ListFlowsAfter", [.string("")]) }
    try await daemon.end()
  }

  @Test("Rule 11: Flows of providers are limited in number and size, and a refused registration changes nothing")
  func limits() async throws {
    var limits = DaemonLimits()
    (limits.maxRegisteredFlows, limits.maxRegisteredBytes) = (3, 20_000)
    let daemon = try await TestDaemon(limits: limits)
    let one = TestProvider(try await daemon.anotherClient()) { _ in nil }
    let two = TestProvider(try await daemon.anotherClient()) { _ in nil }
    try await one.serve(.flow("a"), .flow("b"))
    await expectError("LimitsExceeded") { try await two.serve(.flow("c"), .flow("d")) }
    let long = Value.string(String(repeating: "x", count: 4000))
    try await two.serve(.flow("c", ["summary": long]))
    await expectError("LimitsExceeded") {
      try await one.serve(.flow("a", ["summary": long, "title": long]), .flow("b", ["summary": long, "title": long]))
    }
    // Two bytes each in the message, eight times as many in the list.
    let numbers = Value.array(of: .int16, (0..<1_500).map { .int16(Int16($0)) })
    let field: Value = .vardict(["type": .string("integer"), "title": .string("Number"), "enum": numbers])
    let input: Value = .vardict(["type": .string("object"), "properties": .vardict(["number": field])])
    await expectError("LimitsExceeded") { try await one.serve(.flow("a", ["input": input])) }
    let flows = try await daemon.manager("ListFlows").first?.elements?.compactMap(\.vardict) ?? []
    #expect(Set(names(flows)).isSuperset(of: ["a", "b", "c"]) && !names(flows).contains("d"))
    #expect(flows.first { $0["name"]?.string == "a" }?["summary"] == .string(""))
    await two.connection.close()
    try await poll {
      let flows = try await daemon.manager("ListFlows").first?.elements?.compactMap(\.vardict) ?? []
      return !names(flows).contains("c")
    }
    try await one.serve(.flow("a"), .flow("b"), .flow("d"))
    try await daemon.end()
  }

  @Test("An unknown key and a wrong type in what a provider says of its flows and its work are InvalidArgs")
  func unknownKeys() async throws {
    let daemon = try await TestDaemon()
    let provider = TestProvider(try await daemon.anotherClient()) { _ in nil }
    for rest: [String: Value] in [
      ["rehersable": .boolean(true)], ["rehearsable": .string("yes")], ["version": .string("2")], ["router": .uint32(1)],
      ["deadline": .string("5s")], ["internal": .uint32(2)], ["input": .string("none")],
    ] {
      await expectError("InvalidArgs") { try await provider.serve(.flow("a", rest)) }
    }
    func register(_ options: [String: Value]) async throws {
      _ = try await daemon.manager("RegisterFlows", [.objectPath("/p"), .vardicts([.flow("a")]), .vardict(options)])
    }
    for options: [String: Value] in [["nmae": .string("")], ["concurrency": .string("2")], ["digest": .uint32(1)]] {
      await expectError("InvalidArgs") { try await register(options) }
    }
    try await register(["concurrency": .uint32(2), "digest": .string("x"), "replace": .boolean(true)])
    func call(_ method: String, _ values: [String: Value]) async throws {
      _ = try await daemon.manager(method, [.string("/a_1@1"), .string("w"), .vardict(values)])
    }
    for values: [String: Value] in [
      ["value": .string(""), "note": .string("")], ["value": .uint32(1)], ["type": .string("a"), "massage": .string("b")], [:],
      ["value": .string(""), "type": .string("a")],
    ] {
      await expectError("InvalidArgs") { try await call("EndWork", values) }
    }
    for values: [String: Value] in [["fractoin": .double(0.5)], ["fraction": .string("half")], ["text": .uint32(1)]] {
      await expectError("InvalidArgs") { try await call("ReportWork", values) }
    }
    try await call("ReportWork", ["fraction": .double(0.5), "text": .string("Half")])
    try await daemon.end()
  }
}
