import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform

/// Creates the environments of the flow trees of one host. May be used from any thread.
final class TreeEnvironments: Sendable {
  private let catalogue: FlowCatalogue
  private let limits: Limits
  private let clock: MachineClock
  private let loop: EventLoop
  /// The threads that run work.
  private let workPool = WorkPool()
  /// The journal that makes transitions durable; nil if there is none.
  private let openJournal = Lock<Journal?>(nil)
  private let start: Lock<MachineStart>
  /// The parts that all trees share, created for the first one. Retains the host, which lives until its process ends.
  private let shared = Lock<FlowTree.Environment?>(nil)

  /// Creates the environments.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that trees can start.
  ///   - limits: the limits of each tree.
  ///   - clock: the clocks of the machine.
  ///   - loop: the loop whose threads run the trees.
  init(catalogue: FlowCatalogue, limits: Limits, clock: MachineClock, loop: EventLoop) {
    self.catalogue = catalogue
    self.limits = limits
    self.clock = clock
    start = Lock(MachineStart(clock.moment))
    self.loop = loop
  }

  /// The journal that makes transitions durable; nil if there is none, or none yet.
  var journal: Journal? { openJournal.withLock { $0 } }

  /// The start of the machine, as far as known.
  var startOfMachine: MachineStart { start.withLock(\.self) }

  /// Stores the transitions of all trees that are created from now on.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - start: the start of the machine.
  func use(_ journal: Journal, since start: MachineStart) {
    self.start.withLock { $0 = start }
    openJournal.withLock { $0 = journal }
  }

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
    environment.startOfMachine = startOfMachine
    return environment
  }

  private func shared(for host: FlowHost) -> FlowTree.Environment {
    shared.withLock { shared in
      if let shared { return shared }
      var environment = FlowTree.Environment(
        catalogue: catalogue, limits: limits, observer: host, executor: loop.taskExecutor,
        now: { [clock] in clock.now })
      environment.elapsed = { [clock] in clock.elapsed }
      environment.makeWorkExecutor = { [workPool] in workPool.lane() }
      environment.whenBusy = { [handlers = host.services.handlers] in handlers.treeIsBusy() }
      environment.whenTimersChange = { [loop] root, next in
        loop.post { host.enter { $0.deadlines.setTimers(of: root, next) } }
      }
      environment.schedule = { [loop] delay, body in loop.schedule(after: delay, body) }
      environment.unawaited = UnawaitedEvents { [loop] in loop.schedule(after: $0, $1) }
      shared = environment
      return environment
    }
  }
}

/// The clocks of the machine that a daemon uses. Tests replace them with controlled ones.
struct MachineClock: Sendable {
  /// The identifier of the start of the machine; see ``ElapsedTime/boot``.
  var boot: UInt64
  /// Whether the system has identified that start. Otherwise, durations continue by the wall clock after the daemon restarts.
  var isBootKnown = true
  /// Returns the time by a clock, in microseconds.
  var read: @Sendable (ClockTimer.Clock) -> UInt64
  /// Creates an alarm by a clock that calls a closure on a loop, as a serial job; returns nil if the system has no timer
  /// left.
  var makeAlarm: @Sendable (ClockTimer.Clock, EventLoop, @escaping @Sendable () -> Void) -> (any Alarm)?

  /// The system's clocks.
  static let system = MachineClock(
    boot: systemBoot ?? UInt64.random(in: 1...UInt64(Int64.max)), isBootKnown: systemBoot != nil, read: { $0.now },
    makeAlarm: { ClockTimer(by: $0, on: $1, $2) })

  /// The time in microseconds since 1970.
  var now: UInt64 { read(.wall) }

  /// The time by the monotonic clock.
  var elapsed: ElapsedTime { ElapsedTime(boot: boot, microseconds: read(.elapsed)) }

  /// The time by both clocks.
  var moment: Moment { Moment(wall: now, elapsed: elapsed) }

  /// The kernel's id of this start; nil if it cannot be read, in which case each process assumes a different start.
  ///
  /// Source: random(4), `/proc/sys/kernel/random/boot_id`.
  private static let systemBoot: UInt64? = {
    let text = FileContent.read("/proc/sys/kernel/random/boot_id") ?? []
    let digits = String(decoding: text.filter { $0 != UInt8(ascii: "-") }.prefix(15), as: UTF8.self)
    // Stored numbers are signed, and the kit's tests use the start 0.
    return UInt64(digits, radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }()
}

/// An alarm that expires at a time by a clock.
protocol Alarm: Sendable {
  /// Sets the alarm to a time in microseconds by its clock, or to nil for never. Replaces the previous time.
  func set(_ time: UInt64?)
}

extension ClockTimer: Alarm {}
