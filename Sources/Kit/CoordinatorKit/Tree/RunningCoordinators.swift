import Platform

/// The coordinators of a flow tree that run at the moment. A tree creates them on demand.
struct RunningCoordinators: Sendable {
  private var adopted: [CoordinatorPath: any RunningCoordinator] = [:]
  /// The coordinators that were created for the current transition. They are discarded if it is dropped.
  private(set) var newcomers: [CoordinatorPath: any RunningCoordinator] = [:]

  /// The coordinator at a path; nil if it does not run, or was created for the current transition.
  subscript(path: CoordinatorPath) -> (any RunningCoordinator)? { adopted[path] }

  /// Adds a coordinator that was created for the current transition.
  mutating func add(newcomer: any RunningCoordinator, at path: CoordinatorPath) { newcomers[path] = newcomer }

  /// Sets the coordinators that were created for the current transition.
  mutating func replaceNewcomers(with others: [CoordinatorPath: any RunningCoordinator]) { newcomers = others }

  /// Adopts the newcomers that are alive after the transition, which has been stored.
  mutating func adoptNewcomers(ifAlive isAlive: (CoordinatorPath) -> Bool) {
    for (path, coordinator) in newcomers where isAlive(path) { adopted[path] = coordinator }
    newcomers = Dictionary()
  }

  /// Adds a restored coordinator, unless it runs already.
  mutating func restore(_ coordinator: (any RunningCoordinator)?, as record: CoordinatorRecord) {
    adopted[record.path] = adopted[record.path] ?? coordinator
    adopted[record.path]?.isRestored(as: record)
  }

  /// Removes a coordinator that has ended.
  mutating func remove(_ path: CoordinatorPath) { adopted[path] = nil }
}

/// The tasks that perform the work of a flow tree. May be used from any thread.
struct WorkTasks: Sendable {
  private let tasks = Lock<[WorkID: Task<Void, Never>]>([:])

  /// The number of running pieces of work.
  var count: Int { tasks.withLock { $0.count } }

  /// The tasks of all running work.
  var all: [Task<Void, Never>] { tasks.withLock { $0.values.map(\.self) } }

  /// Starts the task of a piece of work.
  func start(_ id: WorkID, on executor: any TaskExecutor, _ body: @escaping @Sendable () async -> Void) {
    // Holding the lock ensures that the task is registered before it ends, because ending takes the same lock.
    tasks.withLock { $0[id] = Task(executorPreference: executor, operation: body) }
  }

  /// Removes and returns the tasks of pieces of work.
  func remove(_ ids: [WorkID]) -> [Task<Void, Never>] {
    tasks.withLock { tasks in ids.compactMap { tasks.removeValue(forKey: $0) } }
  }

  /// Removes and returns the task of a piece of work; nil if it does not run.
  @discardableResult
  func remove(_ id: WorkID) -> Task<Void, Never>? { tasks.withLock { $0.removeValue(forKey: id) } }
}
