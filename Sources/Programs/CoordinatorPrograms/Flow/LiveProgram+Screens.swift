import CoordinatorBus
import CoordinatorKit
import DBus
import KeeperClient

extension LiveProgram {
  func screen(for route: Route) throws -> Screen {
    var screen =
      switch route {
      case .working: working
      case .question(let id): try question(id)
      }
    if state.runsAsRoot {
      screen.messages.append(ScreenMessage(.info, code: "root", text: "This program runs as root."))
    }
    return screen
  }

  private var title: String { input.title ?? input.program }

  /// What the program shows without asking, and the last lines that it has printed.
  private var working: Screen {
    let shown = live?.screen ?? [:]
    let text = live?.text ?? shown["progress"]?.object?["text"]?.string
    var screen = Screen(
      "working", kind: .progress, title: shown["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? title,
      body: shown["body"]?.string ?? "",
      progress: Progress(fraction: live?.fraction, text: text.map { Text(verbatim: $0) }))
    var lines = live?.lines ?? []
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    guard !lines.isEmpty else { return screen }
    let output = lines.joined(separator: "\n")
    let body = screen.body
    screen = screen.with(
      Markup(
        blocks: (body.isEmpty ? [] : [Markup.Block(.paragraph, [Markup.Span(body)])])
          + [Markup.Block(.verbatim, [Markup.Span(output)])]))
    return screen
  }

  private func question(_ id: String) throws -> Screen {
    // Below a screen that Back has left, there is none.
    guard let question = state.question, question.id == id else { return Screen(id, kind: .message, title: title) }
    var screen = try Self.screen(from: question.screen)
    if screen.title.isEmpty { screen.title = title }
    if state.isAnswered { return screen.busy() }
    if let message = state.notice?.message { screen.messages.append(message) }
    return screen.countingDown(to: state.askedUntil)
  }

  /// Reads the description of a screen.
  private static func screen(from description: JSONValue) throws -> Screen {
    var object = description.object ?? [:]
    for (key, value) in [("name", JSONValue.string("")), ("title", .string("")), ("body", .string("")), ("actions", .array([]))]
    where object[key] == nil { object[key] = value }
    let screen = try Screen(described: try Value.object(object).vardict ?? [:])
    if let form = screen.form { try form.validate() }
    return screen
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
