import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Shows the values that a piece of work reports, at most ten times a second. May be used from any thread.
final class LiveWork: Sendable {
  private struct State: Sendable {
    var value: (any Sendable)?
    var last: ContinuousClock.Instant?
    var isDue = false
  }

  private static let interval = Duration.milliseconds(100)

  private let state = Lock(State())
  private let order: PerformRequest
  private let server: any FlowService
  private let connection: Connection

  init(_ order: PerformRequest, _ server: any FlowService, on connection: Connection) {
    (self.order, self.server, self.connection) = (order, server, connection)
  }

  /// Shows a value, in place of the last one.
  func show(_ value: any Sendable) {
    state.withLock { $0.value = value }
    showAgain()
  }

  /// Shows the last value again, because the screens have changed.
  func showAgain() {
    let delay: Duration? = state.withLock { state in
      guard state.value != nil, !state.isDue else { return nil }
      state.isDue = true
      guard let last = state.last else { return .zero }
      return max(.zero, ContinuousClock.now.duration(to: last + Self.interval))
    }
    guard let delay else { return }
    connection.loop.schedule(after: delay) { Task(executorPreference: globalConcurrentExecutor) { await self.send() } }
  }

  private func send() async {
    let value = state.withLock { state in
      state.isDue = false
      state.last = .now
      return state.value
    }
    guard let value,
      let screens = await server.screens(showing: value, from: order.work, of: order.name.instance, flow: order.flow),
      let parts = try? Dictionary(uniqueKeysWithValues: screens.map { ($0.key, Value.vardict(try $0.liveParts)) })
    else { return }
    let call = MethodCall.manager(
      "ReportWork", [.string(order.name.instance), .string(order.name.work), .vardict(["live": .vardict(parts)])])
    try? await connection.send(call)
  }
}

extension LiveScreen {
  /// The parts of the screen that result from the values that the work has reported.
  fileprivate var liveParts: [String: Value] {
    get throws {
      let plain = try plain.description()
      return try content.description().filter { $0.value != plain[$0.key] }
    }
  }
}
