import CoordinatorKit
import Logging

/// Fails trees whose handlers do not return (rule 2), whatever the cause: a handler may spin, or wait for its actor,
/// which is busy with something that the flow left running. Used only on the host's executor.
final class StuckTrees {
  private let roots: RootRegistry
  private let starts: FlowStarts
  private let handlers: HandlerTimer
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a part that looks for stuck trees.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: the trees.
  ///   - starts: answers the calls that wait for the start of a stuck tree.
  init(of host: HostServices, roots: RootRegistry, starts: FlowStarts) {
    (handlers, logger, entry) = (host.handlers, host.logger, host.entry)
    (self.roots, self.starts) = (roots, starts)
  }

  /// Logs the trees whose handlers are running, because a spare thread has taken over the loop.
  func logBusy() {
    let names = roots.trees.filter { $0.1.handlingSince != nil }.map(\.0).sorted()
    logger.info("handlers are slow", metadata: ["coordinators": "\(names.joined(separator: " "))"])
  }

  /// Gives up the trees whose handlers have exceeded the deadline, and schedules the next check.
  func check() {
    handlers.hasFired()
    let busy = roots.trees.filter { $0.1.currentTurn != nil }.map { BusyTree(name: $0.0, since: $0.1.handlingSince) }
    let (stuck, next) = handlers.check(busy)
    for tree in stuck { giveUp(tree) }
    if let next { handlers.checkAgain(after: next) }
  }

  private func giveUp(_ stuck: BusyTree) {
    guard let since = stuck.since, let tree = roots.tree(stuck.name) else { return }
    let failure = Failure(code: "not-responding", technical: "a handler did not return within \(handlers.deadline)")
    if let live = roots.live[stuck.name] {
      guard let (end, answer) = tree.abandon(handlingSince: since, published: live.state, failure: failure) else { return }
      conclude(end, of: tree, answer)
    } else {
      guard tree.abandonStart(handlingSince: since) else { return }
      starts.hasNotStarted(stuck.name, .failed(failure))
    }
    logger.error("a handler does not return; giving up its flow", metadata: ["coordinator": "\(stuck.name)"])
  }

  /// Stores and publishes the end of an abandoned tree, and answers its callers. The end is published even if it cannot
  /// be stored, because it has happened.
  private func conclude(_ end: Publication, of tree: FlowTree, _ answer: @escaping @Sendable () -> Void) {
    Task { [logger, entry] in
      do {
        try await tree.environment.store?.commit(end)
      } catch {
        logger.error("cannot store the end of a flow", metadata: ["coordinator": "\(tree.root)", "error": "\(error)"])
      }
      await entry.host?.run { parts in
        parts.announcer.publish(end)
        answer()
      }
    }
  }
}
