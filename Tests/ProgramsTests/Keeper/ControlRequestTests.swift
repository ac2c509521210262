import Forms
import ProgramQuestions
import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct ControlRequestTests {
  @Test func `An answer has its payload, and its secrets as bytes`() throws {
    let line =
      #"{"answer":"a-1", "secrets" : {"pin":"1\"2\\\u00e9\ud83d\ude00\n","b":""}, "event":"ok","payload":{"x":[1,"secrets"]}}"#
    let answer = ProgramAnswer.event(
      "ok", payload: ["x": [1, "secrets"]], secrets: ["pin": Array("1\"2\\é😀\n".utf8), "b": []])
    #expect(try ControlRequest(Array(line.utf8)) == .answer("a-1", answer))
  }

  @Test func `Only a member of the request itself has secrets`() throws {
    let line = #"{"payload":{"secrets":{"a":"b"}},"title":"secrets","answer":"a","event":"secrets"}"#
    let answer = ProgramAnswer.event("secrets", payload: ["secrets": ["a": "b"]], secrets: [:])
    #expect(try ControlRequest(Array(line.utf8)) == .answer("a", answer))
  }

  @Test func `The value of a secret does not reach the decoder`() throws {
    let split = try SecretMembers.split(Array(#"{"a":1,"secrets":{"pin":"1234"},"b":2}"#.utf8))
    #expect(String(decoding: split.rest, as: UTF8.self) == #"{"a":1,"secrets":{},"b":2}"#)
    #expect(split.secrets == ["pin": Array("1234".utf8)])
  }

  @Test func `Each request has a member of its own`() throws {
    #expect(try ControlRequest(Array(#"{"watch":7}"#.utf8)) == .watch(7))
    #expect(try ControlRequest(Array(#"{"back":"a-2"}"#.utf8)) == .answer("a-2", .back))
    #expect(try ControlRequest(Array(#"{"cancel":true}"#.utf8)) == .cancel)
    #expect(try ControlRequest(Array(#"{"end":true}"#.utf8)) == .end)
  }

  @Test(arguments: [
    "", "{", "[]", "7", #"{"a":1}"#, #"{"watch":-1}"#, #"{"watch":1.5}"#, #"{"answer":"a"}"#, #"{"answer":1,"event":"b"}"#,
    #"{"end":false}"#, #"{"secrets":{"a":1},"watch":1}"#, #"{"secrets":{"a":"\ud800"},"watch":1}"#, #"{"secrets":{"a":"#,
    #"{"secrets":["a"],"watch":1}"#, #"{"secrets":{"a":"b"},"watch":"#, #"{"secrets":{"a":"\u12"},"watch":1}"#,
  ])
  func `What is not a request is refused`(line: String) {
    #expect(throws: ControlError.self) { try ControlRequest(Array(line.utf8)) }
  }

  @Test func `No line makes the reader fail in any other way`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed)
    let model = Array(#"{"answer":"a-1","event":"ok","payload":{"x":[1,"\""]},"secrets":{"a\u00e9":"\ud83d\ude00\\b"}}"#.utf8)
    for _ in 0..<20_000 {
      var line = model
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: line.remove(at: place)
        case 1: line.insert(model.randomElement(using: &generator) ?? 0, at: place)
        default: line[place] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      do throws(ControlError) { _ = try ControlRequest(line) } catch { #expect(!"\(error)".isEmpty, "seed \(seed)") }
    }
  }
}

/// A generator whose numbers a seed determines: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
