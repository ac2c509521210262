import CoordinatorBus
import CoordinatorKit
import DBus

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
