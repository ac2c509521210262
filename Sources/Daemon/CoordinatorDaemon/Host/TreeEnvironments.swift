import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform

/// Creates the environments of the flow trees of one host. May be used from any thread.
final class TreeEnvironments: Sendable {
  private let catalogue: FlowCatalogue
  private let limits: Limits
  private let clock: WallClock
  private let loop: EventLoop
  /// The threads that run work.
  private let workPool = WorkPool()
  /// The journal that makes transitions durable; nil if there is none.
  private let openJournal = Lock<Journal?>(nil)
  /// What all trees share, created for the first one. Retains the host, which lives as long as its process.
  private let shared = Lock<FlowTree.Environment?>(nil)

  /// Creates the environments.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that trees can start.
  ///   - limits: the limits of each tree.
  ///   - clock: the wall clock.
  ///   - loop: the loop whose threads run the trees.
  init(catalogue: FlowCatalogue, limits: Limits, clock: WallClock, loop: EventLoop) {
    self.catalogue = catalogue
    self.limits = limits
    self.clock = clock
    self.loop = loop
  }

  /// The journal that makes transitions durable; nil if there is none, or none yet.
  var journal: Journal? { openJournal.withLock { $0 } }

  /// Stores the transitions of all trees that are created from now on.
  func use(_ journal: Journal) { openJournal.withLock { $0 = journal } }

  /// Returns the environment for the tree of a new root.
  func starting(_ root: StoredRoot, for host: FlowHost) -> FlowTree.Environment {
    var environment = shared(for: host)
    environment.store = journal?.store(of: root, in: catalogue)
    return environment
  }

  /// Returns the environment for the tree of a restored root.
  func restoring(_ root: StoredRoot, for host: FlowHost) -> FlowTree.Environment {
    var environment = shared(for: host)
    environment.store = journal?.store(ofRestored: root, in: catalogue)
    return environment
  }

  private func shared(for host: FlowHost) -> FlowTree.Environment {
    shared.withLock { shared in
      if let shared { return shared }
      var environment = FlowTree.Environment(
        catalogue: catalogue, limits: limits, observer: host, executor: loop.taskExecutor, now: clock.now)
      environment.makeWorkExecutor = { [workPool] in workPool.lane() }
      environment.whenBusy = { host.watchHandlers() }
      environment.whenTimersChange = { [loop] root, due in
        loop.post { host.assumeIsolated { $0.timersHaveChanged(root, due) } }
      }
      environment.schedule = { [loop] delay, body in loop.schedule(after: delay, body) }
      environment.unawaited = UnawaitedEvents { [loop] in loop.schedule(after: $0, $1) }
      shared = environment
      return environment
    }
  }
}
