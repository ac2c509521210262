import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Platform

/// The object that coordinatord asks.
final class ProviderObject: ExportedObject {
  let interfaces = [Contract.flowProvider]
  private let server: any FlowService
  private let daemon: DaemonOwner
  private let work: PerformedWork
  private let activity: Activity
  private let executor: LoopTaskExecutor

  init(_ server: any FlowService, daemon: DaemonOwner, work: PerformedWork, activity: Activity, loop: EventLoop) {
    (self.server, self.daemon, self.work, self.activity) = (server, daemon, work, activity)
    executor = loop.taskExecutor
  }

  func handle(_ call: IncomingCall) {
    guard daemon.owner != call.sender else { return handleChecked(call) }
    // The daemon may call before the bus has told that it is here.
    Task(executorPreference: executor) { [self] in
      guard await daemon.isOwned(by: call.sender) else {
        return call.fail(.accessDenied("only \(Contract.busName) may ask this program"))
      }
      handleChecked(call)
    }
  }

  private func handleChecked(_ call: IncomingCall) {
    activity.note()
    switch call.member {
    case "Decide":
      do {
        let question = try FlowQuestion(call.arguments)
        if case .looking(let isLooking) = question.event { work.set(isLooking: isLooking, at: question.instance.name) }
        Task(executorPreference: executor) { [server, work] in
          switch await server.decide(question).reply {
          case .success(let values):
            call.reply(values)
            work.showAgain(question.instance.name)
          case .failure(let error): call.fail(error)
          }
        }
      } catch {
        call.fail((error as? UnreadableQuestion)?.dbusError ?? .invalidArgs("\(error)"))
      }
    case "Perform":
      guard let order = WorkOrder(call.arguments) else { return call.fail(.invalidArgs("Perform needs a piece of work")) }
      work.perform(order)
      call.reply()
    case "CancelWork":
      if let instance = call.arguments.first?.string, let id = call.arguments.last?.string {
        work.cancel(WorkName(instance: instance, work: id))
      }
      call.reply()
    case "Ended":
      if let instance = call.arguments.first?.string {
        work.cancelAll(of: instance)
        server.forget(instance, hasFailed: call.arguments.dropFirst().first?.string == "failed")
      }
      call.reply()
    // Whoever serves the flows now has them; what runs here goes on until it is cancelled.
    default: call.reply()
    }
  }
}

/// Whether the process has anything to do. May be used from any thread.
final class Activity: Sendable {
  private struct State: Sendable {
    var last = ContinuousClock.now
    var running = 0
    var movable = 0
  }

  private let state = Lock(State())

  /// Notes that something has been asked.
  func note() { state.withLock { $0.last = .now } }

  /// Notes that something begins that takes time.
  ///
  /// - Parameter isMovable: whether another process may go on with it at any time.
  func begin(isMovable: Bool) {
    state.withLock { state in
      state.running += 1
      if isMovable { state.movable += 1 }
    }
  }

  /// Notes that it has ended.
  func end(isMovable: Bool) {
    state.withLock { state in
      state.running -= 1
      if isMovable { state.movable -= 1 }
      state.last = .now
    }
  }

  /// Returns when nothing has been asked for some time, and nothing runs, or only what is movable if that is enough.
  func waitUntilIdle(for duration: Duration, isMovableEnough: Bool = false) async throws {
    while true {
      let due = state.withLock { state in
        state.running > (isMovableEnough ? state.movable : 0) ? .now + duration : state.last + duration
      }
      guard due > .now else { return }
      try await Task.sleep(until: due)
    }
  }
}

/// What a ``Provider`` serves: decides for the coordinators of flows, and performs their work. May be used from any
/// thread.
package protocol FlowService: Sendable {
  /// The flows as `RegisterFlows` takes them.
  var registration: [[String: Value]] { get throws }
  /// Changes with the program or what it executes.
  var digest: String { get }
  /// Emits a value whenever ``registration`` or ``digest`` has changed.
  var changes: AsyncStream<Void> { get }

  /// Whether flows are left out that another program serves, or that the daemon refuses. Otherwise, none is served until all
  /// can be.
  var servesWhatItCan: Bool { get }

  /// Returns what comes of an event.
  func decide(_ question: FlowQuestion) async -> FlowAnswer

  /// Performs a piece of work.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the name of the flow.
  ///   - instance: the name of the coordinator's instance.
  ///   - attempt: how often the work was begun, with this time.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the text of the result.
  /// - Throws: `CancellationError` if the work was cancelled; any other error is its result.
  func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String

  /// Computes the screens of a coordinator from a value that its work has reported; nil if nothing was asked about the
  /// coordinator while the work ran.
  func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]?

  /// Returns whether the work of a flow shows live values.
  func showsLiveValues(_ flow: String) -> Bool

  /// Returns whether another process may go on with the work of a flow at any time, because it only follows something
  /// that does not end with this process.
  func isMovable(_ flow: String) -> Bool

  /// Forgets what is kept in memory of a coordinator that has ended.
  func forget(_ instance: String)
  /// Forgets the same, and is told whether the coordinator has failed: then, what it stood for may still go on.
  func forget(_ instance: String, hasFailed: Bool)
}

extension FlowService {
  package func isMovable(_ flow: String) -> Bool { false }
  package func forget(_ instance: String, hasFailed _: Bool) { forget(instance) }
}

extension FlowServer: FlowService {
  package var registration: [[String: Value]] { get throws { try catalogue.registration } }
  package var digest: String { ProgramDigest.own }
  package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
  package var servesWhatItCan: Bool { false }

  package func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String {
    try await perform(work, of: flow, in: context)
  }
}

/// What changes with a program.
enum ProgramDigest {
  /// That of this process: when the file of the program was changed, and its size; "" if that cannot be read.
  static let own: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_size)"
  }()
}
