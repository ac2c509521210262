import Foundation
import TestBus
import Testing

/// Plays every flow in linear mode, with choices by their ids.
@Suite("Walks through all flows in linear mode", .timeLimit(.minutes(5)))
struct LinearWalkTests {
  /// The typed input, and the output in between, in this order.
  struct Walk: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let typed: [String]
    let printed: [String]
    let status: Int32

    init(_ arguments: String..., typing typed: [String], prints printed: [String], exits status: Int32 = 0) {
      (self.arguments, self.typed, self.printed, self.status) = (arguments, typed, printed, status)
    }

    var testDescription: String { (arguments + typed).joined(separator: " ") }
  }

  static let walks = [
    Walk(
      "how-to-code", typing: ["next", "next", "b", "next", "next", "next", "finish"],
      prints: ["I wake up", "I go out", "500 lines", "I go out", "500 lines", "Ship it!", "finished", "Number of steps: 4"]),
    Walk(
      "how-to-code", typing: ["next", "next", "next", "next", "Start over", "q"], prints: ["Ship it!", "I wake up", "continues"]),
    Walk(
      "how-to-code", typing: ["b", "n", "b", "y"], prints: ["I wake up", "End this flow", "End this flow", "cancelled"], exits: 3),
    Walk(
      "pets", typing: ["schedule-visit", "sick", "severe", "okay", "schedule-visit", "b", "q"],
      prints: ["What is the visit for?", "How much does it hurt?", "scheduled", "What is the visit for?", "To return to it"]),
    Walk(
      "schedule-visit", typing: ["sick", "worst-possible", "b", "none", "is-fake"],
      prints: ["How much does it hurt?", "finished", "faking it: yes", "How much it hurts: Not at all", "for: My pet is sick"]),
    Walk(
      "schedule-visit", typing: ["well", "b", "sick", "little", "not-fake", "okay"],
      prints: ["finished", "How much it hurts: A little", "for: My pet is sick"]),
    Walk(
      "kanji", typing: ["日", "日本", "本", "b", "b", "b", "b", "y"],
      prints: ["日", "日本", "本", "日本", "日", "cancelled"], exits: 3),
    Walk("kanji-list", "word=水曜日", typing: ["曜", "b", "b", "y"], prints: ["水曜日", "曜", "水曜日", "cancelled"], exits: 3),
    Walk("kanji-detail", "kanji=水", typing: ["水曜日", "b", "b", "y"], prints: ["水", "水曜日", "水", "cancelled"], exits: 3),
    Walk(
      "shop", typing: ["log-in", "check-out", "lamp", "add-to-basket", "done", "chair", "b", "check-out"],
      prints: ["Lamp", "the basket is empty", "It is in your basket", "finished", "lamp"]),
    Walk("log-in", typing: ["log-in"], prints: ["finished"]),
    Walk("shop-main", typing: ["desk", "add-to-basket", "b", "check-out"], prints: ["finished", "desk"]),
    Walk("product-details", "product=chair", typing: ["done"], prints: ["finished"]),
    Walk(
      "account", typing: ["demo", "wrong", "demo", "open-sesame", "log-out", "demo", "open-sesame", "done"],
      prints: ["Password", "demo", "Password", "finished", "  User name: demo"]),
    Walk("account", typing: ["!cancel"], prints: ["cancelled"], exits: 3),
    Walk(
      "quotes", typing: ["q1", "b", "settings", "author", "q3", "b", "settings", "b", "b", "y"],
      prints: ["Quotes", "Order", "cancelled"], exits: 3),
  ]

  @Test("In linear mode each flow can be played from its first screen to its end", arguments: walks)
  func everyFlowIsPlayedLineByLine(_ walk: Walk) async throws {
    let daemon = try await RunningDaemon.start()
    let report = try await Program.run(
      [Built.executable("coordinator-tui")] + walk.arguments, environment: daemon.environment,
      input: walk.typed.map { $0 + "\n" }.joined())
    #expect(report.status == .exited(walk.status), "\(report)")
    var rest = Substring(report.output)
    for text in walk.printed {
      guard let range = rest.range(of: text) else {
        Issue.record("\(text) is not printed there: \(report)")
        break
      }
      rest = rest[range.upperBound...]
    }
    #expect(!report.output.contains("open-sesame"))
    #expect(report.errors == "")
    _ = await daemon.stop()
  }
}
