import CoordinatorKit

/// A flow whose work reports progress up to a point, and then stays there until it is stopped.
actor Copying: Coordinator {
  static let flow = FlowDescription("copying", title: "Copying", summary: "Progress that stays at 35 %.")

  enum Route: RouteValue { case copying, stopped }

  struct State: FlowState {}
  struct Work: Codable {}

  let context = Context()

  func start() throws {
    router.present(.copying)
    try startWork(Work())
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .copying:
      .progress(
        "copying", title: "Copying the system", body: "The machine can be used as soon as this has ended.",
        progress: Progress(fraction: 0, text: "Getting ready"), actions: [.cancel("stop", "Stop")])
    case .stopped: .message("stopped", title: "The system was not copied", actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .copying:
      cancelWork()
      router.present(.stopped)
    case .stopped: finish()
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    for step in 1...7 {
      context.report(Progress(fraction: Double(step) / 20, text: Text(verbatim: "File \(step * 120) of 2400")))
      try await Task.sleep(for: .milliseconds(100))
    }
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
