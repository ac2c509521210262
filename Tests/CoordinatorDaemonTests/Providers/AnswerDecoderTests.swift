import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P7: The answer of a provider is checked like all external input", .timeLimit(.minutes(2)))
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

  @Test("P7: An operation takes no key but its own, so that a misspelt one is not passed over")
  func keysOfOperations() {
    let wrong: [(String, [String: Value], String)] = [
      ("present", ["key": .string("a"), "stile": .string("modal")], "stile"),
      ("replace", ["with": .string("a"), "style": .string("modal")], "style"),
      ("dismiss", ["above": .string("a"), "key": .string("b")], "key"),
      ("start-child", ["flow": .string("a"), "inputs": .vardict([:])], "inputs"),
      ("work", ["id": .string("a"), "secret": .strings(["b"])], "secret"),
      ("cancel-work", ["work": .string("a")], "work"),
      ("timer", ["key": .string("a"), "at": .uint64(1), "in": .uint64(1)], "in"),
      ("output", ["value": .string("a"), "values": .string("b")], "values"), ("keep-secret", ["name": .strings(["a"])], "name"),
      ("finish", ["results": .vardict([:])], "results"), ("cancel", ["reason": .string("a")], "reason"),
    ]
    for (name, values, key) in wrong {
      #expect(fault(.answer("", do: [.op(name, values)])) == "has the operation \(name), which does not take \(key)")
    }
    let right: [(String, [String: Value])] = [
      ("present", ["key": .string("a"), "style": .string("modal"), "animated": .boolean(false)]),
      ("dismiss", ["above": .string("a"), "animated": .boolean(false)]),
      ("work", ["id": .string("a"), "argument": .string("b"), "secrets": .strings(["c"])]),
      ("finish", ["result": .vardict([:]), "secrets": .strings([])]),
    ]
    for (name, values) in right { #expect(fault(.answer("", do: [.op(name, values)])) == nil) }
  }

  /// Returns the keys of an answer that the daemon does not read, as it reports them to the author.
  private func unknown(_ answer: [String: Value]) throws -> [String] {
    let found = Record<String>()
    _ = try AnswerDecoder { found.append("\($0)") }.decision([.vardict(answer)])
    return found.values
  }

  @Test("P7: A key of a screen or a message that nothing reads is ignored, because providers may be newer, and is named")
  func unknownKeys() throws {
    func unknown(screen: [String: Value]) throws -> [String] {
      try self.unknown(.answer("", screens: ["a": .screen("menu", "a", "A").merging(screen) { $1 }]))
    }
    #expect(try unknown(screen: ["bdoy": .string("A")]) == ["'bdoy', which nothing reads (did you mean 'body'?)"])
    #expect(try unknown(screen: ["holograms": .uint32(1)]) == ["'holograms', which nothing reads"])
    let action: [String: Value] = [
      "id": .string("go"), "title": .string("Go"), "role": .string("normal"), "sumary": .string("Away"),
    ]
    #expect(
      try unknown(screen: ["actions": .vardicts([action])])
        == ["'actions.sumary', which nothing reads (did you mean 'summary'?)"])
    let row: [String: Value] = ["id": .string("a"), "title": .string("A"), "subtitel": .string("B")]
    #expect(
      try unknown(screen: ["kind": .string("list"), "items": .vardicts([row])])
        == ["'items.subtitel', which nothing reads (did you mean 'subtitle'?)"])
    let message: [String: Value] = [
      "level": .string("info"), "code": .string("c"), "text": .string("t"), "fields": .string("f"),
    ]
    let hint = "which nothing reads (did you mean 'field'?)"
    #expect(try unknown(screen: ["messages": .vardicts([message])]) == ["'messages.fields', \(hint)"])
    #expect(try self.unknown(.answer("", do: [.op("attach", ["message": .vardict(message)])])) == ["'message.fields', \(hint)"])
    let found = Record<String>()
    _ = try AnswerDecoder.live(.vardict(["a": .vardict(["busy": .string("x"), "itmes": .vardicts([])])])) {
      found.append("\($0)")
    }
    #expect(found.values == ["'itmes', which nothing reads (did you mean 'items'?)"])
  }

  @Test("P7: No key of the contract is taken for an unknown one, whether this reading needs it or not")
  func knownKeys() throws {
    let picture: [String: Value] = ["code": .string("x"), "type": .string("image/png"), "description": .string("y")]
    let all: [String: Value] = [
      "accent": .string("#2F5BD3"), "until": .uint64(1), "suggested": .strings(["go"]), "fields": .strings([]),
      "step": .vardict(["number": .uint64(1), "count": .uint64(2)]),
      "choosing": .vardict(["initial": .strings([]), "min": .uint64(0), "max": .uint64(1)]),
      "progress": .vardict(["fraction": .double(0.5), "text": .string("x")]), "picture": .vardict(picture),
      "review": .vardicts([["title": .string("x"), "value": .string("y"), "forms": .boolean(true), "screen": .uint64(1)]]),
      "origin": .vardict(["name": .string("x"), "title": .string("y")]), "busy": .string("x"), "back": .boolean(false),
      "blocks": .vardicts([
        [
          "kind": .string("paragraph"),
          "spans": .vardicts([["text": .string("x"), "style": .string("code"), "link": .string("https://example.org")]]),
        ]
      ]),
    ]
    #expect(try unknown(.answer("", screens: ["a": .screen("menu", "a", "A").merging(all) { $1 }])) == [])
  }

  @Test("P7: An accent is a color and nothing else, and no two actions or rows have one id")
  func partsOfScreens() {
    let accent = "has the screen a, whose 'accent' is invalid: must be a color as #RRGGBB, such as #2F5BD3"
    for text in ["red;}body{", "red", "#12345", "#1234567", "#12345g", "#12345\u{661}", "", "2F5BD3"] {
      #expect(fault(screen: ["accent": .string(text)]) == accent)
    }
    #expect(fault(screen: ["accent": .string("#2f5BD3")]) == nil)
    let row = { (id: String) in ["id": Value.string(id), "title": .string("Row")] }
    func list(_ ids: String...) -> String? { fault(screen: ["kind": .string("list"), "items": .vardicts(ids.map(row))]) }
    #expect(list("a", "b", "a")?.hasPrefix("has the screen a, whose 'items.id' is invalid: 'a' occurs twice") == true)
    // Ids are compared by bytes, as when a row is chosen.
    #expect(list("\u{E4}", "a\u{308}") == nil)
    let action = { (id: String) in row(id).merging(["role": .string("normal")]) { $1 } }
    let twice = fault(screen: ["actions": .vardicts([action("go"), action("stop"), action("go")])])
    #expect(twice?.hasPrefix("has the screen a, whose 'actions.id' is invalid: 'go' occurs twice") == true)
  }

  @Test("P7: A schema that cannot be used is refused with the field, the keyword and the reason")
  func schemas() throws {
    func reason(_ field: JSONValue) throws -> String? {
      let schema = try Value.object(["type": "object", "properties": ["name": field]])
      return fault(screen: ["kind": .string("form"), "schema": schema, "fields": .strings(["name"])])
    }
    let prefix = "has the screen a, whose 'schema' is invalid: /properties/name/"
    for (field, end): (JSONValue, String) in [
      (["type": "string", "title": "Name", "pattern": "(a", "maxLength": 5], "pattern: "),
      (["type": "string", "title": "Name", "pattern": "(?=a)b", "maxLength": 5], "pattern: "),
      (["type": "string", "title": "Name", "minLength": 5, "maxLength": 2], "minLength: leaves no value"),
      (["type": "integer", "title": "Name", "minimum": 5, "maximum": 2], "minimum: leaves no value"),
      (["type": "integer", "title": "Name", "minimum": 5, "default": 2], "default: must be at least 5"),
      (["type": "string", "title": "Name", "minLenght": 5], "minLenght: is not a keyword"),
    ] {
      let fault = try reason(field)
      #expect(fault?.hasPrefix(prefix + end) == true, "\(fault ?? "no fault")")
    }
  }

  @Test("P7: A suggestion is an id or ids, and may name what the screen does not offer")
  func suggestions() throws {
    for value: Value in [.string("go"), .strings(["go", "gone"]), .strings([]), .array(of: .variant, [.variant(.string("go"))])] {
      #expect(fault(screen: ["suggested": value]) == nil)
    }
    for value: Value in [.uint32(1), .boolean(true), .vardict(["id": .string("go")]), .array(of: .uint32, [.uint32(1)])] {
      #expect(fault(screen: ["suggested": value]) == "has the screen a, whose 'suggested' is missing or invalid", "\(value)")
    }
    var screen: [String: Value] = .screen("menu", "a", "A", actions: ["go": "Go"])
    screen["suggested"] = .string("go")
    let decision = try AnswerDecoder().decision([.vardict(.answer("", screens: ["a": screen]))])
    #expect(decision.screens["a"]?.content.suggested == ["go"])
  }

  @Test("P20: A timer has a time, and may have a duration, which counts instead")
  func timers() throws {
    func operations(_ rest: [String: Value]) throws -> [FlowDecision.Operation] {
      let timer = rest.merging(["key": .string("t")]) { $1 }
      return try AnswerDecoder().decision([.vardict(.answer("", do: [.op("timer", timer)]))]).operations
    }
    let time = Timestamp(microseconds: 7)
    #expect(try operations(["at": .uint64(7)]) == [.startTimer(key: "t", at: time)])
    #expect(try operations(["at": .uint64(7), "after": .uint64(5)]) == [.startTimer(key: "t", at: time, after: 5)])
    #expect(throws: AnswerDecoder.Fault.self) { try operations(["after": .uint64(5)]) }
    #expect(throws: AnswerDecoder.Fault.self) { try operations(["at": .uint64(7), "after": .string("5")]) }
  }

  /// An answer with every feature.
  private static let full: Value = .vardict(
    .answer(
      "state",
      do: [
        .op("present", ["key": .string("a"), "style": .string("modal")]), .op("replace", ["with": .string("a")]),
        .op("dismiss", ["key": .string("a")]), .op("start-child", ["flow": .string("visit"), "input": .vardict([:])]),
        .op("work", ["id": .string("w"), "argument": .string("x"), "secrets": .strings(["pin"])]),
        .op("timer", ["key": .string("t"), "at": .uint64(1), "after": .uint64(2)]),
        .op("output", ["value": .vardict(["n": .int64(1)])]),
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

  @Test("P7: Whatever is changed in an answer, it is read or refused, and what is read can be stored", arguments: 0..<16)
  func anything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      var answer = Self.full
      for _ in 0..<Int.random(in: 1...4, using: &generator) { answer = Self.mutated(answer, &generator) }
      guard let decision = try? AnswerDecoder().decision([answer]) else { continue }
      for screen in decision.screens.values {
        let stored = try? StoredText.decode(DescribedScreen.self, from: StoredText.encode(screen))
        #expect(stored == screen, "seed \(seed): \(answer)")
      }
    }
  }

  /// Returns a value with a random part replaced.
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
