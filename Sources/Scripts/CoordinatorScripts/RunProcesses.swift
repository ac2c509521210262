import CPlatform
import Glibc
import Platform

/// Finds the processes of runs: the descendants of the process that was started for the run, and those that have the run in
/// their environment.
enum RunProcesses {
  /// The prefix of the name of the socket of operations; the number of its process follows.
  static let socketPrefix = "scripts-"

  /// The path of this program's socket of operations in a directory.
  static func socket(in directory: String) -> String { "\(directory)/\(socketPrefix)\(getpid())" }

  /// How long processes may take to end after SIGTERM.
  static let patience = Duration.seconds(5)

  /// Returns the living processes of a run of this program: those that carry its mark, and the descendants of its process.
  ///
  /// - Parameters:
  ///   - run: the number of the run.
  ///   - root: the process that was started for the run; nil if it has ended.
  ///   - strays: the processes that the run has left behind; see ``claimStrays(_:)``.
  /// - Returns: the numbers of the processes.
  static func all(run: UInt64, below root: pid_t?, _ strays: inout Set<pid_t>) -> Set<pid_t> {
    members(in: look(root, &strays), run, root, strays)
  }

  /// Lists the processes, and claims those that an ended run has left behind.
  private static func look(_ root: pid_t?, _ strays: inout Set<pid_t>) -> ProcessTree {
    root == nil ? claimStrays(&strays) : ProcessTree()
  }

  private static func members(in tree: ProcessTree, _ run: UInt64, _ root: pid_t?, _ strays: Set<pid_t>) -> Set<pid_t> {
    let tops = strays.union(root.map { [$0] } ?? [])
    return signalled(own(in: tree, "COORDINATOR_RUN=\(run)").union(tops).union(tops.flatMap(tree.below)))
  }

  /// Returns the living processes of all runs of this program.
  static func all() -> Set<pid_t> {
    let tree = ProcessTree()
    return signalled(own(in: tree, nil).union(tree.below(getpid())))
  }

  /// Returns those that carry the mark of this program, and of a run if one is given.
  private static func own(in tree: ProcessTree, _ run: String?) -> Set<pid_t> {
    let socket = "/\(socketPrefix)\(getpid())"
    return Set(tree.living.filter { coordinatord_is_marked($0, run, socket) })
  }

  /// Returns those that this user may signal. Processes that now belong to another user cannot be signalled.
  private static func signalled(_ processes: Set<pid_t>) -> Set<pid_t> {
    processes.filter { $0 != getpid() && (kill($0, 0) == 0 || errno != EPERM) }
  }

  // MARK: Ending

  /// The processes that have received SIGTERM, or were started to clean up after one, with the times when that was found.
  private static let told = Lock<[pid_t: UInt64]>([:])

  /// Ends the living processes of a run: each receives SIGTERM once. A second one would interrupt its cleaning up, and so would
  /// one for a process that was started to clean up.
  ///
  /// - Parameters:
  ///   - run: the number of the run.
  ///   - root: the process that was started for the run, which leads a process group; nil if it has ended.
  ///   - strays: the processes that the run has left behind.
  ///   - tellGroup: signals that group. Called after the other processes have been found.
  static func tell(run: UInt64, below root: pid_t?, _ strays: inout Set<pid_t>, _ tellGroup: () -> Void) {
    let tree = look(root, &strays)
    tell(members(in: tree, run, root, strays), in: tree, group: root, tellGroup)
  }

  /// Sends SIGTERM to the living processes of all runs that have not received it yet.
  static func tellAll() {
    let tree = ProcessTree()
    tell(signalled(own(in: tree, nil).union(tree.below(getpid()))), in: tree, group: nil) {}
  }

  /// Waits until all processes that have received SIGTERM have ended, and kills the rest after five seconds. Blocks the thread.
  ///
  /// - Parameter orphans: emits when nothing is left of an earlier process of this program.
  static func waitForAll(and orphans: Departure) {
    let late = ContinuousClock.now + patience
    while ContinuousClock.now < late + .seconds(1) {
      let left = all()
      if left.isEmpty, orphans.hasCome { return }
      if late < .now { for process in left { kill(process, SIGKILL) } }
      // Grandchildren of this process send it nothing when they end.
      usleep(20_000)
    }
  }

  private static func tell(_ all: Set<pid_t>, in tree: ProcessTree, group: pid_t?, _ tellGroup: () -> Void) {
    // Under the lock: a process in this set has certainly received its signal.
    told.withLock { told in
      told = told.filter { tree.has($0.key) }
      let new = all.subtracting(told.keys)
      let now = coordinatord_process_time()
      let cleaning = new.filter { process in
        tree.above(process).contains { told[$0].map { tree.started(process) >= $0 } ?? false }
      }
      for process in new { told[process] = now }
      let others = new.subtracting(cleaning).filter { process in
        let itsGroup = getpgid(process)
        return itsGroup != group && !isToldByStep(process, itsGroup)
      }
      if let group, new.contains(group) { tellGroup() }
      for process in parentsFirst(others, in: tree) { kill(process, SIGTERM) }
    }
  }

  /// Whether the process that performs a step forwards SIGTERM to a process, because that belongs to the group of its command.
  private static func isToldByStep(_ process: pid_t, _ group: pid_t) -> Bool {
    guard group > 0, let parent = ProcessTree.parent(of: group) else { return false }
    var length = 0
    guard let text = coordinatord_environment(process, &length) else { return false }
    defer { free(text) }
    let variable = Array("COORDINATOR_ASK=\(parent)".utf8)
    return UnsafeRawBufferPointer(start: text, count: length).split(separator: 0).contains { $0.elementsEqual(variable) }
  }

  private static let adopts = Lock(false)

  /// Makes the processes that runs leave behind children of this process, so that none escapes by leaving its session and its
  /// environment. Does nothing if this process may inherit children from other programs as well.
  static func adoptStrays() {
    guard getpid() != 1, ProcessTree().children(of: getpid()).isEmpty else { return }
    ProcessStart.adoptOrphans()
    adopts.withLock { $0 = true }
  }

  /// The strays that already belong to a run.
  private static let claimed = Lock<Set<pid_t>>([])

  /// Finds processes without a mark that an ended run has left behind; until then, they are descendants of its process. They
  /// have become children of this process, and belong to the first run that finds them.
  ///
  /// - Parameter strays: the strays of the run so far; receives those that still live, and the new ones.
  /// - Returns: the processes at this moment.
  @discardableResult
  static func claimStrays(_ strays: inout Set<pid_t>) -> ProcessTree {
    guard adopts.withLock(\.self) else { return ProcessTree() }
    return claimed.withLock { claimed in
      let tree = ProcessTree()
      let children = tree.children(of: getpid())
      let living = children.subtracting(ProcessStart.own(of: children)).filter(isStray)
      claimed.formIntersection(living)
      strays = strays.intersection(living).union(living.subtracting(claimed))
      claimed.formUnion(living)
      return tree
    }
  }

  /// Whether a child that this process has not started lives and carries no mark: a process with a mark is ended with its run.
  private static func isStray(_ child: pid_t) -> Bool {
    var status: Int32 = 0
    return ProcessTree.parent(of: child) == getpid() && waitpid(child, &status, WNOHANG) == 0
      && !coordinatord_is_marked(child, nil, "/\(socketPrefix)\(getpid())")
  }

  /// Returns processes in the order in which they get a signal: a shell whose child has ended could itself end before it learns
  /// that it should clean up.
  private static func parentsFirst(_ processes: some Collection<pid_t>, in tree: ProcessTree) -> [pid_t] {
    processes.sorted { (tree.started($0), $0) < (tree.started($1), $1) }
  }

  // MARK: Orphans

  /// Ends processes that earlier processes of this program have left behind.
  ///
  /// - Parameters:
  ///   - directory: the directory with the sockets of operations.
  ///   - gone: called when none is left.
  static func endOrphans(of directory: String, then gone: @escaping @Sendable () -> Void) {
    let isStarted = Thread.start(name: "script-orphans") {
      let end = ContinuousClock.now + patience
      var number = SIGTERM
      while true {
        let tree = ProcessTree()
        let orphans = Set(tree.living.filter { isOrphan($0, directory) })
        let all = signalled(orphans.union(orphans.flatMap(tree.below)))
        if all.isEmpty { break }
        for orphan in parentsFirst(all, in: tree) { kill(orphan, number) }
        // A second SIGTERM would interrupt what the first one has begun.
        number = end < .now ? SIGKILL : 0
        usleep(50_000)
      }
      gone()
    }
    if !isStarted { gone() }
  }

  private static func isOrphan(_ process: pid_t, _ directory: String) -> Bool {
    var length = 0
    guard let text = coordinatord_environment(process, &length) else { return false }
    defer { free(text) }
    for variable in UnsafeRawBufferPointer(start: text, count: length).split(separator: 0) {
      for name in ["COORDINATOR_SOCKET", "COORDINATOR_HOST"] {
        let start = Array("\(name)=\(directory)/\(socketPrefix)".utf8)
        guard variable.starts(with: start), let owner = pid_t(String(decoding: variable.dropFirst(start.count), as: UTF8.self))
        else { continue }
        return owner != getpid() && kill(owner, 0) != 0 && errno == ESRCH
      }
    }
    return false
  }
}

/// A snapshot of the processes of the machine, and of their parents.
struct ProcessTree {
  private let children: [pid_t: [coordinatord_process]]
  private let all: [pid_t: coordinatord_process]
  /// All processes that have not ended.
  let living: [pid_t]
  private let livingSet: Set<pid_t>

  /// Looks at the processes.
  init() {
    var list: UnsafeMutablePointer<coordinatord_process>?
    let count = coordinatord_list_processes(&list)
    defer { free(list) }
    let found = Array(UnsafeBufferPointer(start: list, count: count))
    children = Dictionary(grouping: found, by: \.parent)
    all = Dictionary(found.map { ($0.process, $0) }) { $1 }
    living = found.filter { !$0.is_over }.map(\.process)
    livingSet = Set(living)
  }

  /// Whether a process has not ended.
  func has(_ process: pid_t) -> Bool { livingSet.contains(process) }

  /// Returns when a process started, as `coordinatord_process_time()`; 0 if it is unknown.
  func started(_ process: pid_t) -> UInt64 { all[process]?.started ?? 0 }

  /// Returns the ancestors of a process, beginning with its parent.
  func above(_ process: pid_t) -> [pid_t] {
    var found: [pid_t] = []
    while let parent = all[found.last ?? process]?.parent, parent > 0, !found.contains(parent) { found.append(parent) }
    return found
  }

  /// Returns the living descendants of a process.
  func below(_ process: pid_t) -> [pid_t] {
    var found = children[process] ?? []
    var next = 0
    while next < found.count {
      found += children[found[next].process] ?? []
      next += 1
    }
    return found.filter { !$0.is_over }.map(\.process)
  }

  /// Returns the children of a process, including those that have ended but were not waited for.
  func children(of process: pid_t) -> Set<pid_t> { Set((children[process] ?? []).map(\.process)) }

  /// Returns the parent of a process; nil if there is no such process.
  static func parent(of process: pid_t) -> pid_t? {
    var found = coordinatord_process()
    return coordinatord_find_process(process, &found) ? found.parent : nil
  }
}
