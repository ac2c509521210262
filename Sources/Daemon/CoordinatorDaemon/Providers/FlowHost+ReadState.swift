import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc

extension FlowHost {
  /// Handles `ReadState`. Only root, the daemon's own user and the program itself may read what a program has stored.
  func readState(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, known) = try reader.outcomeRequest(call.arguments)
      guard let coordinator = known, let root = roots.live[String(coordinator.root)] else {
        if let held = known.flatMap({ roots.hosted(String($0.root)) })?.held, !held.isEmpty { throw .held(held) }
        throw .unknownObject("no coordinator \(path) is known")
      }
      guard let record = root.state.coordinators[coordinator] else { throw .unknownObject("no coordinator \(path) is known") }
      let server = provider.withTable { $0.provider(of: record.flow)?.owner }
      let user = call.credentials?.user
      guard user == 0 || user == geteuid() || server == call.sender else {
        throw .accessDenied("only root, the daemon's user and the program that serves the flow may read its state")
      }
      guard record.providedState != nil else { throw .invalidArgs("the flow \(record.flow) is built in") }
      Task(executorPreference: globalConcurrentExecutor) {
        // What changes nothing that is shown is not published: only the tree knows it.
        guard let state = await root.tree.providedState(of: coordinator) else {
          return call.fail(.unknownObject("no coordinator \(path) is known"))
        }
        call.reply([.string(state)])
      }
    } catch {
      call.fail(error)
    }
  }
}
