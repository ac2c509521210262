import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// Commands, which are understood at every prompt but that of a secret.
extension Conversation {
  /// Handles a command; returns nil if the line is none.
  ///
  /// - Parameters:
  ///   - line: line that was typed, without white space around it.
  ///   - isAnswer: whether the line, without the mark of a command, would be an answer as well. A user is then asked which
  ///     one is meant. A script is not: it means the command.
  ///   - top: screen on top.
  /// - Returns: the effects, or nil.
  mutating func command(_ line: String, isAnswer: @autoclosure () -> Bool, on top: PresentedScreen) -> [Effect]? {
    if let command = LineCommand(marked: line) { return perform(command, on: top) }
    guard let command = LineCommand(bare: line) else { return nil }
    // Help does no harm, and says how the answer is written.
    if isInteractive, command != .help, isAnswer() { return ask(.meaning(of: line, command)) }
    return perform(command, on: top)
  }

  /// Performs a command.
  mutating func perform(_ command: LineCommand, on top: PresentedScreen) -> [Effect] {
    misunderstandings = 0
    switch command {
    case .quit: return leave()
    case .help: return [.print(help)] + askAgain()
    case .back: return back(from: top)
    case .answers where isFillable(top.screen) && draft != nil: return check()
    case .answers: return [.print([Text("There are no answers to change on this screen.").string])] + ask()
    }
  }

  /// Counts a line that was not understood.
  ///
  /// - Returns: the line that says how to get help, after two such lines in a row; otherwise nothing.
  mutating func misunderstood() -> [String] {
    misunderstandings += 1
    guard isInteractive, misunderstandings >= 2, let window else { return [] }
    misunderstandings = 0
    return [renderer.style.quiet(Self.hint(LeavingStep(in: window)))]
  }

  /// The line that tells the most important commands.
  static func hint(_ step: LeavingStep) -> String {
    switch step {
    case .none: Text("q leaves, ? shows help").string
    case .back, .mayEnd: Text("b goes back, q leaves, ? shows help").string
    case .end: Text("b ends the flow, q leaves, ? shows help").string
    }
  }

  /// Opens the prompt that was answered with a command again.
  private mutating func askAgain() -> [Effect] { phase == .checking ? check() : ask() }
}
