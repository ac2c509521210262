import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Platform

/// The object that coordinatord calls.
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
    // The daemon may call before the bus has announced it.
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
      guard let order = PerformRequest(call.arguments) else { return call.fail(.invalidArgs("Perform needs a piece of work")) }
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
    // The program that serves the flows now has them; work in this process continues until it is cancelled.
    default: call.reply()
    }
  }
}

/// Records whether the process is in use. May be used from any thread.
final class Activity: Sendable {
  private struct State: Sendable {
    var last = ContinuousClock.now
    var running = 0
    var movable = 0
  }

  private let state = Lock(State())

  /// Records a question.
  func note() { state.withLock { $0.last = .now } }

  /// Records the beginning of an operation that takes time.
  ///
  /// - Parameter isMovable: whether another process may continue it at any time.
  func begin(isMovable: Bool) {
    state.withLock { state in
      state.running += 1
      if isMovable { state.movable += 1 }
    }
  }

  /// Records the end of an operation.
  func end(isMovable: Bool) {
    state.withLock { state in
      state.running -= 1
      if isMovable { state.movable -= 1 }
      state.last = .now
    }
  }

  /// Waits until no question has arrived for a duration, and no operation runs; if `isMovableEnough`, movable operations may
  /// run.
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

/// The service of a ``Provider``: decides for the coordinators of flows, and performs their work. May be used from any thread.
package protocol FlowService: Sendable {
  /// The flows in the form of the argument of `RegisterFlows`.
  var registration: [[String: Value]] { get throws }
  /// Identifies the build of the program, or of the files that it executes.
  var digest: String { get }
  /// Emits a value whenever ``registration`` or ``digest`` has changed.
  var changes: AsyncStream<Void> { get }

  /// Whether to omit flows that another program serves, or that the daemon refuses. Otherwise, no flow is served until all can
  /// be.
  var servesWhatItCan: Bool { get }
  /// Whether the service keeps secrets that would be lost if the program ended.
  var keepsSecrets: Bool { get }

  /// Returns the decision on an event.
  func decide(_ question: FlowQuestion) async -> FlowAnswer

  /// Performs a piece of work.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the name of the flow.
  ///   - instance: the name of the coordinator's instance.
  ///   - attempt: the number of attempts to perform the work, including this one.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the text of the result.
  /// - Throws: `CancellationError` if the work was cancelled; any other error is its result.
  func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String

  /// Computes the screens of a coordinator from a value that its work has reported; nil if no question about the coordinator
  /// arrived while the work ran.
  func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]?

  /// Returns whether the work of a flow shows live values.
  func showsLiveValues(_ flow: String) -> Bool

  /// Returns whether another process may continue the work of a flow at any time, because the work only observes something that
  /// does not end with this process.
  func isMovable(_ flow: String) -> Bool

  /// Discards the data in memory of a coordinator that has ended.
  func forget(_ instance: String)
  /// Discards the data in memory of a coordinator that has ended. If it has failed, the operation that it represents may
  /// continue.
  func forget(_ instance: String, hasFailed: Bool)
}

extension FlowService {
  package var keepsSecrets: Bool { false }
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

/// Computes a value that identifies the build of a program.
enum ProgramDigest {
  /// The digest of this process: the time of the last change of the program's file, and its size; "" if they cannot be read.
  static let own: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_size)"
  }()
}
