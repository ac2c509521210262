import CoordinatorKit

/// Waiting for what a flow shows.
extension TestFlow {
  /// Waits until the flow shows something.
  ///
  /// ```swift
  /// _ = try await flow.state { $0.window.top?.content.name == "user-profile" }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: how long to wait.
  ///   - file: the file of the test, for the error.
  ///   - line: the line of the test.
  ///   - condition: the condition. It is called for each state, so it must be fast.
  /// - Returns: the first state that meets the condition.
  /// - Throws: ``Misuse/notInTime(showing:awaiting:because:)`` if no state has met it in time.
  public func state(
    within limit: Duration = .seconds(60), file: StaticString = #fileID, line: UInt = #line,
    where condition: @escaping @Sendable (TreeState) -> Bool
  ) async throws -> TreeState {
    guard let state = await renderer.state(within: limit, where: condition) else {
      throw Misuse.notInTime(
        showing: await shownNames, awaiting: "a state that meets the condition at \(file):\(line), for \(limit)",
        because: await reasonsToWait)
    }
    return state
  }

  private var shownNames: [String] { get async { await tree.state.window.screens.map(\.content.name) } }

  /// Why the flow may show nothing else, each with what to do.
  private var reasonsToWait: [String] {
    get async {
      let state = await tree.state
      if let outcome = state.outcomes[state.root] { return ["the flow has ended: \(outcome.name)"] }
      var reasons = state.coordinatorsInOrder.compactMap { record in
        state.hold(of: record.path).map { "\(record.path) is held: \($0)" }
      }
      let working = state.coordinatorsInOrder.filter { !$0.work.isEmpty }.map(\.flow)
      if work.hasHeldResults { reasons.append("results of work are held back: deliver them with work.release()") }
      if pace.nextDue != nil { reasons.append("work sleeps by the clock of the test: move it with advance(by:)") }
      if state.nextDue != nil { reasons.append("a timer waits for the clock of the test: move it with advance(by:)") }
      for path in await tree.coordinatorsWithoutViewer.sorted(by: { $0.text < $1.text }) {
        reasons.append("work of \(path) waits for a viewer: attach one with setRenderer(isAttached: true)")
      }
      if !working.isEmpty { reasons.append("work is running: of \(working.joined(separator: ", "))") }
      return reasons
    }
  }
}

extension TestFlow.Misuse: CustomStringConvertible {
  /// The problem and its likely reasons, for the author of the test.
  public var description: String {
    switch self {
    case .nothingShown: "the flow shows no screen"
    case .stillRunning: "the flow has not ended"
    case .notInTime(let names, let awaited, let reasons):
      (["timed out while waiting for \(awaited); shown: \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"] + reasons)
        .joined(separator: "; ")
    }
  }
}
