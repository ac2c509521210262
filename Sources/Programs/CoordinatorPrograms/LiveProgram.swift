import CoordinatorBus
import CoordinatorKit
import DBus
import KeeperClient
import Platform

/// Shows the questions of a program that `coordinatorctl exec` has started, and passes the answers to it.
///
/// The program runs once, and its keeper controls it. This flow only stores which question is open: lost messages are requested
/// again, and the keeper accepts each answer once.
actor LiveProgram: Coordinator {
  static let flow = FlowDescription(
    "program", title: "A program", summary: "Shows the questions of a program that coordinatorctl exec has started.",
    input: Form(
      Field("program", .string(title: "The name of the program, as its keeper has it")),
      Field("title", .string(title: "The title above its screens"), isRequired: false)))

  struct Input: Codable, Sendable {
    var program: String
    var title: String?
  }

  enum Route: Codable, Hashable, Sendable {
    /// The screen of the program while it asks nothing.
    case working
    case question(id: String)
  }

  struct State: FlowState {
    var question: AskedQuestion?
    /// The time at which the program stops waiting for the answer.
    var askedUntil: Timestamp?
    /// Whether an answer to the question is on its way to the program.
    var isAnswered = false
    var notice: Notice?
    var runsAsRoot = false
    /// How often the work that observes the keeper was started again without news, because its process had died too often; nil
    /// for never.
    var revivals: Int?

    init() {}
  }

  /// Why a question is shown again.
  enum Notice: Codable, Hashable, Sendable {
    case refused(String)
    case secretLost
    case lost
  }

  enum Work: Codable, Hashable, Sendable {
    case watch(program: String, sequence: UInt64)
    /// An answer to a question; without an event, it is Back.
    case answer(program: String, question: String, event: String?, payload: [String: JSONValue])
  }

  enum Product: Codable, Sendable {
    case news(ProgramNews, isOfRoot: Bool)
    case answered(AnswerOutcome)
  }

  struct Result: Codable, Sendable {
    /// The exit status of the program.
    var status: Int
  }

  typealias Live = ProgramProgress

  let context = Context()
  private let places: KeeperPlaces
  private let programs: ShownPrograms
  /// Receives the full reasons of failures, for the log.
  private let complain: @Sendable (String) -> Void

  init(places: KeeperPlaces, programs: ShownPrograms, complain: @escaping @Sendable (String) -> Void) {
    (self.places, self.programs, self.complain) = (places, programs, complain)
  }

  func start() throws {
    guard ProgramName.isValid(input.program) else { throw Refusal.invalidInput(["program": "is not the name of a program"]) }
    router.present(.working)
    try startWork(.watch(program: input.program, sequence: 0))
  }

  func allowsBack(from route: Route) -> Bool {
    guard case .question(let id) = route, let question = state.question, question.id == id else { return false }
    return question.allowsBack && !state.isAnswered
  }

  // MARK: Answers

  func receive(_ event: Event, on route: Route) throws {
    guard case .question(let id) = route, let question = state.question, question.id == id else { throw event.notTaken }
    guard !state.isAnswered else { throw Refusal.denied("the program has an answer to this question") }
    (state.isAnswered, state.notice) = (true, nil)
    try startWork(
      .answer(program: input.program, question: id, event: event.name, payload: event.payload.values),
      secrets: event.payload.secrets)
  }

  func wentBack(from route: Route) throws {
    guard case .question(let id) = route else { return }
    (state.isAnswered, state.notice) = (true, nil)
    try startWork(.answer(program: input.program, question: id, event: nil, payload: [:]))
  }

  // MARK: Work

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Product {
    switch work {
    case .watch(let program, let sequence):
      programs.add(program)
      let shared = context.shared
      do {
        let (news, isOfRoot) = try await KeptProgram(name: program, places: places).news(since: sequence) {
          report($0, in: shared)
        }
        guard case .ended(let end) = news else { return .news(news, isOfRoot: isOfRoot) }
        for reason in end.reasons { complain("the program \(program): \(reason)") }
        return .news(.ended(end.shortened), isOfRoot: isOfRoot)
      } catch let gone as KeeperGone {
        complain("the program \(program) was lost: \(gone)")
        throw gone
      }
    case .answer(let program, let question, let event, let payload):
      let answer = KeeperAnswer(question: question, event: event, payload: payload)
      return .answered(try await KeptProgram(name: program, places: places).give(answer, secrets: context.secrets))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Product>) throws {
    switch result {
    case .done(.news(let news, let isOfRoot)):
      state.runsAsRoot = isOfRoot
      try take(news)
    case .done(.answered(.taken)), .done(.answered(.stale)): break
    case .done(.answered(.refused(let reason))): showAgain(work, because: .refused(reason))
    case .failed(let error):
      switch work {
      case .watch: try watchAgain(work, after: error)
      // The work that observes the keeper finds out whether it has gone.
      case .answer: showAgain(work, because: .lost)
      }
    }
  }

  func workInterrupted(_ work: Work) throws {
    showAgain(work, because: .secretLost)
  }

  /// The number of times that work which its processes have not survived is started again. Each time, several of them may die.
  private static let mostRevivals = 3

  /// Goes on observing a program: it still runs if only the processes that observe it have been killed. Any other error means
  /// that the program cannot be reached.
  private func watchAgain(_ work: Work, after error: any Error) throws {
    guard (error as? Failure)?.code == "ProviderDied" else { return try end(ProgramEnd(lost: "\(error)")) }
    let revivals = (state.revivals ?? 0) + 1
    guard revivals <= Self.mostRevivals else {
      let message = Text("The program cannot be shown any longer.").string
      return end(as: .failed(Failure(code: "program-not-shown", message: message)))
    }
    state.revivals = revivals
    try startWork(work)
  }

  private func take(_ news: ProgramNews) throws {
    state.revivals = nil
    switch news {
    case .asking(let question, let sequence):
      show(question)
      try startWork(.watch(program: input.program, sequence: sequence))
    case .working(let sequence):
      hideQuestion()
      try startWork(.watch(program: input.program, sequence: sequence))
    case .ended(let end): try self.end(end)
    }
  }

  private func show(_ question: AskedQuestion) {
    guard question.id != state.question?.id else { return }
    state.question = question
    (state.isAnswered, state.notice) = (false, nil)
    state.askedUntil = question.timeout.map { now + .seconds($0) }
    let route = Route.question(id: question.id)
    switch router.routes.last {
    case route: break
    case .question: router.replace(with: route)
    case .working, nil: router.present(route)
    }
  }

  private func hideQuestion() {
    state.question = nil
    (state.isAnswered, state.notice) = (false, nil)
    if case .question = router.routes.last { router.dismiss() }
  }

  /// Shows the question of an answer again, unless a different question is open now.
  private func showAgain(_ work: Work, because notice: Notice) {
    guard case .answer(_, let id, _, _) = work, let question = state.question, question.id == id, state.isAnswered
    else { return }
    (state.isAnswered, state.notice) = (false, notice)
    if router.routes.last == .working { router.present(.question(id: question.id)) }
  }

  private func end(_ end: ProgramEnd) throws {
    guard case .status(let status) = end.cause else {
      return self.end(as: .failed(Failure(code: "program-ended", message: end.message)))
    }
    try finish(Result(status: status))
  }
}

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

  /// The screen of the program while it asks nothing, with the last lines of its output.
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

  /// Returns as many of the last lines as fit on a terminal of 80 columns and 24 rows, so that the newest one is visible.
  ///
  /// - Parameters:
  ///   - lines: the output of the program.
  ///   - body: the text of the screen above the lines.
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
    // The question of a route may no longer be open, for example after Back.
    guard let question = state.question, question.id == id else { return Screen(id, kind: .message, title: title) }
    var screen = question.screen.withTranslatedWords
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
