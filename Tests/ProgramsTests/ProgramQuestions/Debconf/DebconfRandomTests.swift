import Forms
import ProgramQuestions
import Testing

/// Conversations that real debconf never has.
@Suite("Random conversations with debconf", .timeLimit(.minutes(2)))
struct DebconfRandomTests {
  /// A generator of numbers from a seed.
  private struct Source {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }
  }

  private static let words = [
    "a/b", "a/c", "type", "description", "choices", "select", "multiselect", "string", "boolean", "password", "note", "error",
    "x, y, z", "y\\, z, ", "high", "low", "é\u{1B}[0m", "\\n", "1", "10", "START", "STEP", "INFO", "STOP", "backup", "",
  ]
  private static let commands = [
    "CAPB", "TITLE", "SETTITLE", "DATA", "DATA", "DATA", "SET a/b", "SUBST a/c", "INPUT", "INPUT", "GO", "GO", "GET", "PROGRESS",
    "X_PING", "",
  ]

  private static func line(_ source: inout Source) -> String {
    switch source.next(8) {
    case 0...3:
      "DATA \(source.pick(["a/b", "a/c"])) type \(source.pick(["select", "multiselect", "string", "boolean", "password"]))"
    case 4: "INPUT high \(source.pick(["a/b", "a/c"]))"
    default: ([source.pick(commands)] + (0..<source.next(5)).map { _ in source.pick(words) }).joined(separator: " ")
    }
  }

  @Test("Every line gets at most one reply, every screen can be shown, and every answer to it is taken", arguments: 0..<40)
  func conversation(seed: UInt64) throws {
    var source = Source(state: seed)
    var peer = DebconfPeer()
    var lines = 0
    for _ in 0..<400 {
      let before = peer.replies.count
      peer.send(Self.line(&source))
      lines += 1
      #expect(peer.replies.count - before <= 1, "seed \(seed)")
      guard let block = peer.connection.openBlock else { continue }
      #expect(!peer.connection.mayEnd, "seed \(seed)")
      if let json = peer.screen["schema"] {
        let schema = try Schema(json: json)
        #expect(throws: Never.self, "seed \(seed)") { try schema.validate() }
        #expect(
          schema.check(peer.screen["values"]?.object ?? [:]).values.allSatisfy { "\($0)".contains("required") }, "seed \(seed)")
      }
      if block.allowsBack, source.next(4) == 0 {
        #expect(try peer.answer(.back) == "30 goback", "seed \(seed)")
      } else {
        let answer = try block.answer { question in
          switch question.type {
          case .boolean: "true"
          case .select: question.choices.first ?? "text"
          case .multiselect: ""
          default: "text"
          }
        }
        #expect(try peer.answer(answer) == "0 ok", "seed \(seed)")
        for question in block.questions {
          #expect(peer.send("GET \(question.tag)").first?.hasPrefix("0") == true, "seed \(seed)")
        }
        #expect(peer.connection.mayEnd, "seed \(seed)")
      }
    }
    #expect(peer.blocks.count > 0, "seed \(seed)")
    #expect(peer.replies.allSatisfy { !$0.contains("\n") }, "seed \(seed)")
  }
}
