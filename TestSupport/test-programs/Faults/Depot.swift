import CoordinatorKit
import Platform

/// A flow that uses every kind of stored data: state, a form with a draft, children, work, and work that takes a secret.
///
/// The result of work only changes text on a screen, and interrupted work has the same effect as completed work, so that the
/// state of a tree follows from its calls alone.
actor Depot: Coordinator {
  /// The version of the flow in this daemon.
  static let version = Lock(2)

  static var flow: FlowDescription {
    FlowDescription("depot", title: "Depot", summary: "Counts, and keeps parcels.", version: version.withLock { $0 })
  }

  enum Route: Codable, CaseIterable { case counter, note, vault }
  struct State: FlowState {
    var count = 0
    var notes: [String] = []
    var weighed = 0
    var parcels: [Int] = []
    var tallies = 0
    var openings = 0
  }
  struct Result: Codable {
    var count: Int
    var notes: [String]
    var parcels: [Int]
  }
  enum Work: Codable { case tally, open }

  let context = Context()

  func start() { router.present(.counter) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .counter:
      .menu(
        "counter", title: "Depot",
        body: Text(
          verbatim: """
            Counted \(state.count), tallied \(state.tallies), opened \(state.openings), weighed \(state.weighed). \
            Parcels: \(state.parcels). Notes: \(state.notes.joined(separator: "; "))
            """),
        choices: [
          Action("add", "Add"), Action("tally", "Tally"), Action("note", "Take a note"), Action("vault", "Open the vault"),
          Action("parcel", "Pack a parcel"), Action("modal-parcel", "Pack a parcel at once"), Action("close", "Close"),
        ])
    case .note:
      .form(
        "note", title: "What is to be noted?",
        form: Form(
          Field("text", .string(title: "Text", length: 1...2000)),
          Field("urgent", .boolean(title: "Urgent")).optional), actions: [.primary("keep", "Keep it")])
    case .vault:
      .form(
        "vault", title: Text(verbatim: "Opened \(state.openings) times"),
        form: Form(Field("pin", .secret(title: "PIN", length: 4...8))),
        actions: [.primary("open", "Open")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.counter, "add"): state.count += 1
    case (.counter, "tally"): try startWork(.tally)
    case (.counter, "note"): router.present(.note)
    case (.counter, "vault"): router.present(.vault)
    case (.counter, "parcel"): try startChild(Parcel.self)
    case (.counter, "modal-parcel"): try startChild(Parcel.self, router: .modal)
    case (.counter, "close"): try finish(Result(count: state.count, notes: state.notes, parcels: state.parcels))
    case (.note, "keep"):
      state.notes.append(event.payload.string("text") ?? "")
      router.dismiss()
    case (.vault, "open"): try startWork(.open, secrets: event.payload.secrets)
    default: throw event.notTaken
    }
  }

  func receive(_ event: Event, from child: Child) throws {
    guard event.name == "weigh" else { throw event.notTaken }
    state.weighed += 1
  }

  func childEnded(_ child: Child, outcome: Outcome) {
    if case .finished(let result) = outcome { state.parcels.append(Int(result["goods"]?.integer ?? 0)) }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    if case .open = work { _ = try context.secret("pin") }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) { note(work) }

  func workInterrupted(_ work: Work) { note(work) }

  private func note(_ work: Work) {
    switch work {
    case .tally: state.tallies += 1
    case .open: state.openings += 1
    }
  }
}
