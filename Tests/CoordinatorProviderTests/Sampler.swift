import CoordinatorKit

/// A flow that does everything that a coordinator can do.
actor Sampler: Coordinator {
  static let flow = FlowDescription("sampler", title: "Sampler", version: 2)

  enum Route: Codable, Hashable {
    case menu, secret, summary
    case note(Int)
  }

  struct State: FlowState {
    var log: [String] = []
    var isLocked = false
    var due: Timestamp?
  }

  enum Work: Codable { case use, count(Int) }
  enum Timer: Codable, Hashable { case tick, tock(Int) }
  struct Used: Codable { var code: Bool }
  struct Mishap: Error {}

  let context = Context()

  var canBeCancelled: Bool { !state.isLocked }

  func start() { router.present(.menu) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .menu: menu
    case .secret:
      .form(
        "secret", title: "Secret",
        form: Form(
          Field("name", .string(title: "Name")), Field("pin", .secret(title: "PIN")), Field("again", .secret(title: "Again"))),
        actions: [.primary("submit", "Go on")])
    case .summary:
      .message("summary", title: "Summary", actions: [.primary("okay", "Okay")]).reviewing(
        review() + [ReviewRow("Menu", "here", on: router.screen(of: .menu))])
    case .note(let number):
      .message(
        "note", title: Text("Note {number}", ["number": "\(number)"]), body: Text(verbatim: body),
        actions: Self.actions(["note", "up", "all", "dismiss", "attach", "leave", "deny", "replace"]))
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .note(2) }

  private var menu: Screen {
    .message(
      "menu", title: "Menu", body: Text(verbatim: body),
      actions: Self.actions([
        "secret", "use", "count", "stop-work", "stop-count", "forget", "timer", "stop-timer", "part", "modal-part", "tell-parts",
        "cancel-parts", "note", "modal", "window", "attach", "lock", "fail", "mishap", "wrong-route", "finish", "cancel",
      ]))
  }

  private static func actions(_ names: [String]) -> [Action] { names.map { Action($0, Text(verbatim: $0)) } }

  private var body: String {
    """
    log \(state.log.joined(separator: " ")); routes \(router.routes.count); children \(children.map { "\($0.path)" }); \
    work \(runningWork.count) \(runningWork("use") != nil); pin \(keptSecret("pin") != nil) word \(keptSecret("word") != nil); \
    due \(String(describing: due(.tick)))
    """
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name != "lock", state.log.count > 3 { state.log = [] }
    state.log.append(event.name)
    switch event.name {
    case "secret": router.present(.secret)
    case "submit": try submit(event)
    case "use":
      guard let pin = keptSecret("pin") else { throw Refusal.denied("there is no PIN") }
      try startWork(.use, key: "use", secrets: ["code": pin])
    case "count": try startWork(.count(runningWork.count))
    case "stop-work": cancelWork("use")
    case "stop-count": cancelWork()
    case "forget": forgetSecret("pin")
    case "timer":
      try startTimer(.tick, after: .seconds(10))
      try startTimer(.tock(1), at: now + .seconds(20))
      state.due = due(.tick)
    case "stop-timer": cancelTimer(.tick)
    case "part", "modal-part": try startPart(event.name == "part" ? .navigation : .modal)
    case "tell-parts":
      for child in children where child.isInstance(of: Part.self) { try send(.turn("over"), to: child, of: Part.self) }
    case "cancel-parts": for child in children { cancelChild(child) }
    case "note": router.present(.note(router.routes.count))
    case "modal": router.present(.note(0), as: .modal, animated: false)
    case "window": router.present(.note(0), as: .window)
    case "attach": attach(.warning("careful", "Be careful."))
    case "lock": state.isLocked.toggle()
    case "fail": throw Failure(code: "broken", message: "it is broken")
    case "mishap": throw Mishap()
    case "wrong-route": try router.dismiss(to: .note(99))
    case "finish": finish()
    case "cancel": cancel()
    default: try receiveOnNote(event)
    }
  }

  private func receiveOnNote(_ event: Event) throws {
    switch event.name {
    case "up": try router.dismiss(to: .menu)
    case "all":
      router.dismissAll()
      router.present(.menu)
    case "dismiss": router.dismiss()
    case "replace": router.replace(with: .note(7), animated: false)
    case "deny": throw Refusal.denied("not now")
    case "okay": router.dismiss()
    default: throw event.notTaken
    }
  }

  private func submit(_ event: Event) throws {
    guard let pin = event.payload.secret("pin"), let again = event.payload.secret("again"), pin.matches(again) else {
      throw Refusal.invalidPayload(["again": "differs"])
    }
    keep(pin, as: "pin")
    router.present(.summary)
  }

  private func startPart(_ router: RouterKind) throws {
    let child = try startChild(
      Part.self, input: Part.Input(number: children.count), secrets: keptSecret("pin").map { ["pin": $0] } ?? [:],
      router: router)
    state.log.append("\(child?.path.name ?? "none")")
    if let child { try send(.turn("on"), to: child, of: Part.self) }
  }

  func receive(_ event: Event, from child: Child) throws {
    guard event.name == "help" else { throw event.notTaken }
    attach(.info("help", "Help is on the way."))
    state.log.append("helped")
  }

  func wentBack(from route: Route) { state.log.append("back") }

  func childEmitted(_ output: ChildOutput) throws {
    guard case .said(let words)? = output.value(from: Part.self) else { return }
    state.log.append(words)
    if let word = passedSecret("word") { keep(word, as: "word") }
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    switch try child.end(of: Part.self, outcome) {
    case .finished(let result): state.log.append("finished \(result.number) \(passedSecret("pin") != nil)")
    case .cancelled: state.log.append("cancelled")
    case .failed(let failure) where failure.code == "all": end(as: outcome)
    case .failed(let failure): state.log.append(failure.code)
    case nil: break
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Used {
    context.report(Progress(fraction: 0.5, text: "Half"))
    switch work {
    case .use: return Used(code: try context.secret("code").withString { $0 == "1234" })
    case .count(0): return Used(code: false)
    case .count(1): throw Failure(code: "one", message: "one is too many")
    case .count: throw Mishap()
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Used>) {
    switch result {
    case .done(let used): state.log.append("used \(used.code)")
    case .failed(let failure as Failure): state.log.append(failure.code)
    case .failed(let error): state.log.append("\(type(of: error))")
    }
  }

  func workInterrupted(_ work: Work) { state.log.append("interrupted") }
  func secretsLost(_ names: Set<String>) { state.log.append("lost \(names.sorted())") }
  func timerFired(_ timer: Timer) { state.log.append("\(timer)") }

  /// Version 1 called the log something else.
  static func migrate(_ stored: inout StoredFlow, from version: Int) {
    stored.state = ["log": .array((stored.state["events"]?.array ?? []) + ["migrated"]), "isLocked": false]
  }
}

/// A child of the flow that does everything.
actor Part: Coordinator {
  static let flow = FlowDescription("part", title: "Part", input: Form(Field("number", .integer(title: "Number"))))

  enum Route: Codable, Hashable { case only }
  struct Input: Codable { var number: Int }
  struct Result: Codable { var number: Int }
  struct State: FlowState { var turns: [String] = [] }
  enum Output: Codable { case said(String), nothing }
  enum Message: Codable { case turn(String) }

  let context = Context()

  func start() { router.present(.only) }

  func screen(for route: Route) -> Screen {
    .message(
      "part", title: Text(verbatim: "Part \(input.number) \(state.turns) \(keptSecret("pin") != nil)"),
      actions: ["say", "whisper", "help", "unknown", "done", "fail", "fail-all", "as-failed"].map {
        Action($0, Text(verbatim: $0))
      })
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "say": emit(.said("hello"))
    case "whisper": emit(.said("psst"), secrets: keptSecret("pin").map { ["word": $0] } ?? [:])
    case "done": try finish(Result(number: input.number), secrets: keptSecret("pin").map { ["pin": $0] } ?? [:])
    case "fail": throw Failure(code: "part", message: "a part has failed")
    case "fail-all": end(as: .failed(Failure(code: "all", message: "all has failed")))
    case "as-failed": end(as: .failed(Failure(code: "as", message: "as a failure")))
    default: throw event.notTaken
    }
  }

  func parentSent(_ message: Message) {
    switch message {
    case .turn(let text): state.turns = state.turns.suffix(2) + [text]
    }
  }
}
