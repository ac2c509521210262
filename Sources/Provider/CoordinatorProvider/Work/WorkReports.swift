import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Tells the daemon how far a piece of work has progressed, at most ten times a second. May be used from any thread.
final class WorkReports: Sendable {
  private struct State: Sendable {
    var values: [String: Value] = [:]
    var last: ContinuousClock.Instant?
    var isDue = false
  }

  private static let interval = Duration.milliseconds(100)

  private let state = Lock(State())
  private let name: WorkName
  private let connection: Connection

  init(of name: WorkName, on connection: Connection) { (self.name, self.connection) = (name, connection) }

  /// Reports progress.
  func add(_ progress: Progress) { add(progress.vardict, replacing: ["fraction", "text"]) }

  /// Reports values, in place of those with the given keys that were not sent yet.
  func add(_ values: [String: Value], replacing keys: Set<String>) {
    let delay: Duration? = state.withLock { state in
      state.values = state.values.filter { !keys.contains($0.key) }.merging(values) { $1 }
      guard !state.isDue else { return nil }
      state.isDue = true
      guard let last = state.last else { return .zero }
      return max(.zero, ContinuousClock.now.duration(to: last + Self.interval))
    }
    guard let delay else { return }
    connection.loop.schedule(after: delay) { self.send() }
  }

  private func send() {
    let values = state.withLock { state in
      state.isDue = false
      state.last = .now
      defer { state.values = [:] }
      return state.values
    }
    let call = MethodCall.manager("ReportWork", [.string(name.instance), .string(name.work), .vardict(values)])
    connection.assumeIsolated { try? $0.send(call) }
  }
}
