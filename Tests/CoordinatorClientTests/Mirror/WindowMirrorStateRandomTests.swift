import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import TestBus
import Testing

@Suite("The state of a window mirror over random histories", .timeLimit(.minutes(5)))
struct WindowMirrorStateRandomTests {
  /// Performs a random transition that changes something.
  private func step(_ truth: inout ScriptedWindow, _ random: inout SeededGenerator) throws -> [RouterSignal] {
    try truth.transition { window in
      for round in 0..<Int.random(in: 1...3, using: &random) {
        let screen = window.screens.randomElement(using: &random)?.id
        switch (Int.random(in: 0..<5, using: &random), screen) {
        case (0...1, let screen?) where round == 0: window.dismiss(screen)
        case (2, let screen?):
          window.update(screen, title: "\(random.next() % 1000)", accent: Bool.random(using: &random) ? "#000000" : nil)
        default: try window.present("\(random.next() % 1000)", layer: UInt32.random(in: 0...2, using: &random))
        }
      }
    }
  }

  /// A bus that sometimes drops every signal from some point on, including at least one Settled.
  private struct LossyBus {
    private var isLosing = false
    private var hasLostSettled = false

    mutating func delivers(_ signal: RouterSignal, _ random: inout SeededGenerator) -> Bool {
      if isLosing, hasLostSettled, Bool.random(using: &random) { isLosing = false }
      if !isLosing, Int.random(in: 0..<30, using: &random) == 0 {
        isLosing = true
        hasLostSettled = false
      }
      if isLosing, case .settled = signal { hasLostSettled = true }
      return !isLosing
    }

    /// Ends the loss: a reply has arrived, so there is room for signals, too.
    mutating func recover() { isLosing = false }
  }

  @Test("Every painted window is a true one, whatever signals are lost, and reading again catches up", arguments: 1...20)
  func everyPaintedWindowIsTrueDespiteLosses(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bus = LossyBus()
    var truth = ScriptedWindow()
    var mirror = WindowMirrorState()
    var history: Set<MirroredWindow> = []
    var mustRead = true
    for _ in 0..<100 {
      let signals = try step(&truth, &random)
      history.insert(truth.window)
      for signal in signals where bus.delivers(signal, &random) {
        switch mirror.receive(signal) {
        case .paint(let window):
          let isTrue = history.contains(window)
          #expect(isTrue)
        case .readAgain: mustRead = true
        default: break
        }
      }
      guard mustRead, Bool.random(using: &random) else { continue }
      bus.recover()
      let answer = try mirror.adopt(truth.snapshot)
      mustRead = answer == .readAgain
      let isTruth = mirror.window == truth.window
      #expect(isTruth)
    }
    // Two more transitions reveal any earlier loss.
    for _ in 1...2 { _ = mirror.receive(try step(&truth, &random)) }
    _ = try mirror.adopt(truth.snapshot)
    let isTruth = mirror.window == truth.window
    #expect(isTruth)
  }
}
