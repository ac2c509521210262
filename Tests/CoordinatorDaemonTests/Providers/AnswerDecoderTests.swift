import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P7: The answer of a provider is checked as whatever comes from outside", .timeLimit(.minutes(2)))
struct AnswerDecoderTests {
  private func fault(_ answer: [String: Value]) -> String? {
    do throws(AnswerDecoder.Fault) {
      _ = try AnswerDecoder().decision([.vardict(answer)])
      return nil
    } catch {
      return error.description
    }
  }

  private func fault(screen: [String: Value]) -> String? {
    fault(.answer("", screens: ["a": .screen("message", "a", "A").merging(screen) { $1 }]))
  }

  @Test("P7: An answer needs a state of at most 256 KiB, and has no key that is not known")
  func state() {
    #expect(fault(["state": .string("")]) == nil)
    #expect(fault([:]) == "has no state, which is a string")
    #expect(fault(["state": .uint32(1)]) == "has no state, which is a string")
    #expect(fault(["state": .string(String(repeating: "x", count: 262_145))]) == "has a state of more than 262144 bytes")
    #expect(fault(["state": .string(""), "sate": .string("")]) == "has the unknown key sate")
    #expect(fault(["state": .string(""), "dismissable": .string("no")]) == "has a dismissable that is not a boolean")
  }

  @Test("P7: An answer has at most 64 operations, each of which is known and complete")
  func operations() {
    let many = Array(repeating: [String: Value].op("cancel"), count: 65)
    #expect(fault(.answer("", do: many)) == "has operations that are not an array of at most 64")
    #expect(fault(.answer("", do: [.op("explode")])) == "has the unknown operation explode")
    #expect(fault(.answer("", do: [.op("present")])) == "has the operation present, which lacks key")
    let wrong = fault(.answer("", do: [.op("present", ["key": .uint32(1)])]))
    #expect(wrong == "has the operation present, which has key of the wrong type")
    #expect(
      fault(.answer("", do: [.op("dismiss-child", ["path": .string("/org/other")])]))?.hasPrefix("has the operation") == true)
    #expect(fault(["state": .string(""), "do": .array(of: .variant, [.variant(.string("finish"))])]) != nil)
  }

  @Test("P7: A screen is complete, within its limits, and holds no secret")
  func screens() throws {
    #expect(fault(screen: [:]) == nil)
    #expect(fault(screen: ["kind": .string("window")]) != nil)
    #expect(fault(screen: ["back": .string("no")]) == "has the screen a with a back that is not a boolean")
    #expect(fault(screen: ["title": .string(String(repeating: "x", count: 1 << 21))]) == "has the screen a, which is too large")
    var deep = Value.string("x")
    for _ in 0..<40 { deep = .variant(.array(of: .variant, [.variant(deep)])) }
    #expect(fault(screen: ["kind": .string("form"), "values": .vardict(["a": deep])]) != nil)
    let schema = try Value.object([
      "type": "object", "properties": ["pin": ["type": "string", "title": "PIN", "writeOnly": true]],
    ])
    let form: [String: Value] = [
      "kind": .string("form"), "schema": schema, "fields": .strings(["pin"]), "values": .vardict(["pin": .string("1234")]),
    ]
    #expect(fault(screen: form)?.hasSuffix("with a value of a secret field") == true)
    let pattern = try Value.object([
      "type": "object", "properties": ["a": ["type": "string", "title": "A", "pattern": "(a*)*\\1"]],
    ])
    #expect(fault(screen: ["kind": .string("form"), "schema": pattern, "fields": .strings(["a"])]) != nil)
    #expect(fault(screen: ["messages": .string("none")]) != nil)
  }

  @Test("P7: A suggestion is an id or ids, and may name what the screen does not offer")
  func suggestions() throws {
    for value: Value in [.string("go"), .strings(["go", "gone"]), .strings([]), .array(of: .variant, [.variant(.string("go"))])] {
      #expect(fault(screen: ["suggested": value]) == nil)
    }
    for value: Value in [.uint32(1), .boolean(true), .vardict(["id": .string("go")]), .array(of: .uint32, [.uint32(1)])] {
      #expect(fault(screen: ["suggested": value])?.hasPrefix("has the screen a, which cannot be read") == true, "\(value)")
    }
    var screen: [String: Value] = .screen("menu", "a", "A", actions: ["go": "Go"])
    screen["suggested"] = .string("go")
    let decision = try AnswerDecoder().decision([.vardict(.answer("", screens: ["a": screen]))])
    #expect(decision.contents["a"]?.suggested == ["go"])
    #expect(try AnswerDecoder.screen(from: #require(decision.screens["a"]).description).suggested == ["go"], "as it is restored")
  }

  /// An answer that uses everything.
  private static let full: Value = .vardict(
    .answer(
      "state",
      do: [
        .op("present", ["key": .string("a"), "style": .string("modal")]), .op("replace", ["with": .string("a")]),
        .op("dismiss", ["key": .string("a")]), .op("start-child", ["flow": .string("visit"), "input": .vardict([:])]),
        .op("work", ["id": .string("w"), "argument": .string("x"), "secrets": .strings(["pin"])]),
        .op("timer", ["key": .string("t"), "at": .uint64(1)]), .op("output", ["value": .vardict(["n": .int64(1)])]),
        .op("attach", ["message": .vardict(["level": .string("info"), "code": .string("c"), "text": .string("t")])]),
        .op("finish", ["result": .vardict(["list": .array(of: .variant, [.variant(.double(1.5))])])]),
      ],
      screens: [
        "a": .screen("list", "a", "A", actions: ["go": "Go"]).merging(
          [
            "items": .vardicts([["id": .string("1"), "title": .string("One")]]), "busy": .string("Wait"),
            "suggested": .strings(["1", "go"]),
          ]) { $1 }
      ]))

  @Test("P7: Whatever is changed in an answer, it is read or refused, and what is read can be shown", arguments: 0..<16)
  func anything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      var answer = Self.full
      for _ in 0..<Int.random(in: 1...4, using: &generator) { answer = Self.mutated(answer, &generator) }
      guard let decision = try? AnswerDecoder().decision([answer]) else { continue }
      for screen in decision.screens.values {
        #expect((try? AnswerDecoder.screen(from: screen.description)) != nil, "seed \(seed): \(answer)")
      }
    }
  }

  /// Returns a value in which a random part is another.
  private static func mutated(_ value: Value, _ generator: inout SeededGenerator) -> Value {
    if Int.random(in: 0..<8, using: &generator) == 0 { return random(&generator) }
    switch value {
    case .variant(let inner): return .variant(mutated(inner, &generator))
    case .array(of: let type, var elements):
      guard let index = elements.indices.randomElement(using: &generator) else { return random(&generator) }
      if Bool.random(using: &generator) { elements.append(elements[index]) }
      elements[index] = mutated(elements[index], &generator)
      return .array(of: type, elements)
    case .dictionary(let key, let type, var entries):
      guard let index = entries.indices.randomElement(using: &generator) else { return random(&generator) }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: entries.remove(at: index)
      case 1: entries[index] = DictionaryEntry(key: .string("\(index)"), value: entries[index].value)
      default: entries[index] = DictionaryEntry(key: entries[index].key, value: mutated(entries[index].value, &generator))
      }
      return .dictionary(key: key, value: type, entries)
    default: return random(&generator)
    }
  }

  private static func random(_ generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: .string("")
    case 1: .string(String(repeating: "é", count: Int.random(in: 0...2000, using: &generator)))
    case 2: .uint64(.max)
    case 3: .int64(.min)
    case 4: .double(.nan)
    case 5: .double(.infinity)
    case 6: .boolean(Bool.random(using: &generator))
    case 7: .strings(["a", "a"])
    case 8: .vardict([:])
    case 9: .vardict(["": .variant(.string("nul"))])
    case 10: .array(of: .variant, [])
    default: .objectPath("/org/coordinatord/Coordinator1/a")
    }
  }
}
