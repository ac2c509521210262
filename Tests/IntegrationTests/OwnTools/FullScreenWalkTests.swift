import TestBus
import Testing

/// Plays every flow on the full screen with keys alone.
@Suite("Walks through all flows on the full screen, by keys alone", .timeLimit(.minutes(5)))
struct FullScreenWalkTests {
  /// A string that must be shown (or after `!` must not be shown), and the keys to press then.
  struct Step: Sendable, ExpressibleByArrayLiteral {
    let text: String
    let isAbsent: Bool
    let keys: [String]

    init(arrayLiteral elements: String...) {
      let condition = elements.first ?? ""
      isAbsent = condition.hasPrefix("!")
      (text, keys) = (isAbsent ? String(condition.dropFirst()) : condition, Array(elements.dropFirst()))
    }
  }

  struct Walk: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let steps: [Step]
    let end: String

    init(_ arguments: String..., steps: [Step], ends end: String) {
      (self.arguments, self.steps, self.end) = (arguments, steps, end)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let (finished, cancelled) = ("The flow has finished.", "The flow was cancelled.")

  static let walks = [
    Walk(
      "how-to-code",
      steps: [
        ["I wake up", "Enter"], ["I go out", "Escape"], ["!I go out", "Enter"], ["I go out", "Enter"], ["500 lines", "Enter"],
        ["Ship it!", "Enter"], ["[ Finish ]", "Right", "Enter"],
        ["!You know how", "Enter"], ["I go out", "Enter"], ["500 lines", "Enter"], ["Ship it!", "Enter"],
        ["[ Finish ]", "Enter"],
      ], ends: finished),
    Walk(
      "pets",
      steps: [
        ["[ Schedule a visit ]", "Enter"], ["❯ 1 A check-up", "Enter"], ["[ Okay ]", "Enter"],
        ["Your visit is scheduled.", "Enter"],
        ["❯ 1 A check-up", "Escape"], ["No visit was scheduled.", "q"],
      ], ends: "The flow continues."),
    Walk(
      "schedule-visit",
      steps: [["❯ 1 A check-up", "2"], ["How much does it hurt?", "Down", "Enter"], ["Is your pet faking it?", "1"]],
      ends: finished),
    Walk(
      "kanji",
      steps: [
        ["❯ 日  ", "Down", "Up", "Enter"], ["❯ 日本", "Enter"], ["› 日本", "Escape"], ["❯ 日本", "Escape"], ["❯ 日  ", "Escape"],
        ["for everyone who has it open", "Escape"], ["❯ 日  ", "Escape"], ["[! Go back ]", "Y"],
      ], ends: cancelled),
    Walk(
      "kanji-list", "word=水曜日",
      steps: [["❯ 水", "Down", "Enter"], ["› 曜", "Escape"], ["❯ 曜", "Escape"], ["[! End it ]", "y"]],
      ends: cancelled),
    Walk(
      "kanji-detail", "kanji=水",
      steps: [["❯ 水曜日", "Enter"], ["❯ 水  ", "Escape"], ["❯ 水曜日", "Escape"], ["End it", "Tab", "Enter"]],
      ends: cancelled),
    Walk(
      "shop",
      steps: [
        ["[ Log in ]", "Enter"], ["❯ Lamp", "Enter"], ["[ Add to basket ]", "Enter"], ["It is in your basket", "Right", "Enter"],
        ["❯ Lamp", "Tab", "Enter"],
      ], ends: finished),
    Walk("log-in", steps: [["[ Log in ]", "Enter"]], ends: finished),
    Walk(
      "shop-main",
      steps: [
        ["❯ Lamp", "Tab", "Enter"], ["the basket is empty", "BTab", "desk", "Enter"], ["[ Add to basket ]", "Enter"],
        ["It is in your basket", "Escape"], ["[ Check out ]", "Tab", "Enter"],
      ], ends: finished),
    Walk("product-details", "product=chair", steps: [["[ Add to basket ]", "Right", "Enter"]], ends: finished),
    Walk(
      "account",
      steps: [
        ["┃ User name", "demo", "Tab", "wrong", "Enter"], ["password is wrong", "open-sesame", "Enter"],
        ["logged in as demo", "Enter"],
      ], ends: finished),
    Walk(
      "quotes",
      steps: [
        ["type to filter", "Down", "Enter"], ["Quotes › ", "Escape"], ["!Quotes › ", "Tab", "Enter"], ["At random", "Escape"],
        ["!At random", "Escape"], ["[! End it ]", "y"],
      ], ends: cancelled),
  ]

  @Test("On the full screen each flow can be played from its first screen to its end", arguments: walks)
  func everyFlowIsPlayedByKeys(_ walk: Walk) async throws {
    let daemon = try await RunningDaemon.start()
    let command = [try Built.executable("coordinator-tui")] + walk.arguments
    let terminals = try await Terminals.start([command], environment: daemon.environment)
    terminals.resize(columns: 80, rows: 24)
    for step in walk.steps {
      try await terminals.screen { rows in
        let isShown = rows.contains { $0.contains(step.text) }
        return isShown != step.isAbsent && rows.contains { !$0.isEmpty }
      }
      for key in step.keys { terminals.press(key) }
    }
    try await terminals.screen(shows: walk.end)
    _ = await daemon.stop()
  }
}
