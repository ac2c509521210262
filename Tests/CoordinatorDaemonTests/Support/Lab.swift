import CoordinatorKit
import Foundation
import TestBus

/// A flow whose events trigger each kind of behavior in a daemon.
actor Lab: Coordinator {
  static let flow = FlowDescription(
    "lab", title: "Lab", summary: "For tests.",
    input: Form(
      Field("mode", .choice(title: "Mode", [("plain", "Plain"), ("form", "Form"), ("empty", "Empty"), ("broken", "Broken")]))
        .optional, Field("count", .integer(title: "Count", range: 0...100)).optional))

  enum Route: Codable { case bench, form, busy }
  struct State: FlowState {
    var count = 0
    var isBusy = false
  }
  struct Input: Codable {
    var mode: String?
    var count: Int?
  }
  struct Result: Codable {
    var count: Int?
    var name: String?
    /// The names of the threads of a handler and of work.
    var handler: String?
    var work: String?
  }
  enum Work: Codable { case measure, nameThread }

  let context = Context()
  private let spinner: Spinner

  init(spinner: Spinner = Spinner()) { self.spinner = spinner }

  func start() throws {
    switch input.mode {
    case "form": router.present(.form)
    case "empty": break
    case "broken": throw Failure(code: "broken", message: "cannot start")
    default: router.present(.bench)
    }
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .bench:
      .message(
        "bench", title: "Bench", body: Text(verbatim: "\(state.count)"),
        actions: ["count", "finish", "break", "refuse", "spin", "child", "work", "same", "threads"].map {
          Action($0, verbatim: $0)
        })
    case .form:
      .form(
        "form", title: "Form",
        form: Form(
          Field("name", .string(title: "Name", length: 1...8)), Field("password", .secret(title: "Password", length: 1...64))),
        actions: [.primary("submit", "Submit"), .cancel("cancel", "Cancel")])
    case .busy:
      .progress("busy", title: "Busy", progress: Progress(fraction: 0))
    }
  }

  func receive(_ event: Event, on route: Route) throws { try act(event) }
  func receive(_ event: Event) throws { try act(event) }

  private func act(_ event: Event) throws {
    switch event.name {
    case "count": state.count += 1
    case "same": break
    case "finish": try finish(Result(count: state.count))
    case "break": throw Failure(code: "broken", message: "it broke")
    case "refuse": throw Refusal.denied("not now")
    case "spin": spinner.spin()
    case "child": try startChild(Lab.self, input: Input(), router: .modal)
    case "cancel": cancel()
    case "submit":
      state.count += event.payload.secret("password") == nil ? 0 : 1
      try finish(Result(name: event.payload.string("name") ?? ""))
    case "threads": try startWork(.nameThread)
    case "work":
      router.present(.busy)
      try startWork(.measure)
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String {
    if case .nameThread = work { return Self.threadName }
    for step in 1...10 { context.report(Progress(fraction: Double(step) / 10)) }
    try await spinner.pause()
    return ""
  }

  func workEnded(_ work: Work, with result: WorkResult<String>) throws {
    if case .nameThread = work, case .done(let name) = result {
      return try finish(Result(handler: Self.threadName, work: name))
    }
    router.dismiss()
    state.count += 100
  }
}

extension Lab {
  /// The name of the current thread.
  fileprivate static var threadName: String {
    (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines) ?? ""
  }
}

/// Keeps a handler from returning, and work from ending, until the test releases them.
final class Spinner: Sendable {
  private let gate = Gate()
  private let isReleased = Observed(false)

  /// Blocks the thread of a handler.
  func spin() { gate.block() }

  /// Waits until a handler is blocked.
  func isSpinning() async throws { try await gate.reached() }

  /// Suspends work until it is released or cancelled.
  func pause() async throws { try await isReleased.until { $0 } }

  func release() {
    gate.open()
    isReleased.update { $0 = true }
  }
}
