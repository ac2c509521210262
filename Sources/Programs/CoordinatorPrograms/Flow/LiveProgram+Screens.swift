import CoordinatorBus
import CoordinatorKit
import DBus
import KeeperClient
import Platform

extension LiveProgram {
  func screen(for route: Route) -> Screen {
    var screen =
      switch route {
      case .working: working
      case .question(let id): question(id)
      }
    if state.runsAsRoot || live?.isOfRoot == true {
      screen.messages.append(ScreenMessage(.info, code: "root", text: "This program runs as root."))
    }
    return screen
  }

  private var title: String { input.title ?? input.program }

  /// What the program shows without asking, and the last lines that it has printed.
  private var working: Screen {
    let shown = live?.screen
    let text = live?.text ?? shown?.progress?.text
    var screen = Screen(
      "working", kind: .progress, title: shown.flatMap { $0.title.isEmpty ? nil : $0.title } ?? title, body: shown?.body ?? "",
      progress: Progress(fraction: live?.fraction, text: text.map { Text(verbatim: $0) }))
    let body = screen.body
    let output = Self.tail(of: live?.lines ?? [], below: body)
    guard !output.isEmpty else { return screen }
    screen = screen.with(
      Markup(
        blocks: (body.isEmpty ? [] : [Markup.Block(.paragraph, [Markup.Span(body)])])
          + [Markup.Block(.verbatim, [Markup.Span(output)])]))
    return screen
  }

  /// Returns the last lines that a terminal of 80 columns and 24 rows has room for, so that the newest one is in sight.
  ///
  /// - Parameters:
  ///   - lines: what the program has printed.
  ///   - body: what the screen says above.
  /// - Returns: the lines, without empty ones at the end; empty if there are none.
  static func tail(of lines: [String], below body: String) -> String {
    let columns = 74
    func rows(_ line: some StringProtocol) -> Int { max(1, (line.count + columns - 1) / columns) }
    let paragraph = body.bytes.split(separator: "\n", omittingEmptySubsequences: false)
    let above = body.isEmpty ? 0 : paragraph.map { rows($0) }.reduce(1, +)
    var room = max(12 - above, 4)
    var shown: [String] = []
    for line in lines.reversed().drop(while: { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }) {
      room -= rows(line)
      guard room >= 0 || shown.isEmpty else { break }
      shown.insert(line, at: 0)
    }
    return shown.joined(separator: "\n")
  }

  private func question(_ id: String) -> Screen {
    // Below a screen that Back has left, there is none.
    guard let question = state.question, question.id == id else { return Screen(id, kind: .message, title: title) }
    var screen = question.screen
    if screen.title.isEmpty { screen.title = title }
    if state.isAnswered { return screen.busy() }
    if let message = state.notice?.message { screen.messages.append(message) }
    return screen.countingDown(to: state.askedUntil)
  }
}

extension LiveProgram.Notice {
  fileprivate var message: ScreenMessage {
    switch self {
    case .refused(let reason):
      ScreenMessage(.error, code: "refused", text: Text("The program does not take this: {reason}.", ["reason": reason]))
    case .secretLost: ScreenMessage(.warning, code: "secret-lost", text: "Please enter the secret again.")
    case .lost: ScreenMessage(.warning, code: "answer-lost", text: "The answer did not reach the program. Please answer again.")
    }
  }
}
