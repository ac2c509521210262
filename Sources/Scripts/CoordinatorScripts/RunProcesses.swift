import CPlatform
import Glibc
import Platform

/// Finds the processes of runs, wherever they have gone: below the process that has started them, and by their environment.
enum RunProcesses {
  /// What begins the name of the socket of operations, before the number of the process that has it.
  static let socketPrefix = "scripts-"

  /// The path of this program's socket of operations in a directory.
  static func socket(in directory: String) -> String { "\(directory)/\(socketPrefix)\(getpid())" }

  /// How long processes that were told to end have for it.
  static let patience = Duration.seconds(5)

  /// The living processes of a run of this program: those that carry its mark, and those that its process has started.
  ///
  /// - Parameters:
  ///   - run: the number of the run.
  ///   - root: the process that was started for the run; nil if it has ended.
  ///   - strays: what the run has left behind; see ``claimStrays(_:)``.
  /// - Returns: the numbers of the processes.
  static func all(run: UInt64, below root: pid_t?, _ strays: inout Set<pid_t>) -> Set<pid_t> {
    members(in: look(root, &strays), run, root, strays)
  }

  /// Looks at the processes, and at what a run has left behind whose process has ended.
  private static func look(_ root: pid_t?, _ strays: inout Set<pid_t>) -> ProcessTree {
    root == nil ? claimStrays(&strays) : ProcessTree()
  }

  private static func members(in tree: ProcessTree, _ run: UInt64, _ root: pid_t?, _ strays: Set<pid_t>) -> Set<pid_t> {
    let tops = strays.union(root.map { [$0] } ?? [])
    return signalled(own(in: tree, "COORDINATOR_RUN=\(run)").union(tops).union(tops.flatMap(tree.below)))
  }

  /// The living processes of all runs of this program.
  static func all() -> Set<pid_t> {
    let tree = ProcessTree()
    return signalled(own(in: tree, nil).union(tree.below(getpid())))
  }

  /// Those that carry the mark of this program, and of a run if one is given.
  private static func own(in tree: ProcessTree, _ run: String?) -> Set<pid_t> {
    let socket = "/\(socketPrefix)\(getpid())"
    return Set(tree.living.filter { coordinatord_is_marked($0, run, socket) })
  }

  /// Those that this user may signal: nothing can be done about what has become another user's.
  private static func signalled(_ processes: Set<pid_t>) -> Set<pid_t> {
    processes.filter { $0 != getpid() && (kill($0, 0) == 0 || errno != EPERM) }
  }

  // MARK: Ending

  /// The processes that were told to end.
  private static let told = Lock<Set<pid_t>>([])

  /// Has the living processes of a run end: each gets SIGTERM once. A second one would interrupt what the first one has begun,
  /// and so would one for what was only started then.
  ///
  /// - Parameters:
  ///   - run: the number of the run.
  ///   - root: the process that was started for the run, which leads a process group; nil if it has ended.
  ///   - strays: what the run has left behind.
  ///   - tellGroup: has that group end. It is called when it is known which other processes there are.
  static func tell(run: UInt64, below root: pid_t?, _ strays: inout Set<pid_t>, _ tellGroup: () -> Void) {
    let tree = look(root, &strays)
    tell(members(in: tree, run, root, strays), in: tree, group: root, tellGroup)
  }

  /// Has the living processes of all runs end that were not told to yet.
  static func tellAll() {
    let tree = ProcessTree()
    tell(signalled(own(in: tree, nil).union(tree.below(getpid()))), in: tree, group: nil) {}
  }

  /// Waits for the end of all processes that were told to end, and kills what is left after five seconds. Blocks the thread.
  ///
  /// - Parameter orphans: the moment from which on nothing is left of an earlier process of this program.
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
    // Under the lock, so that whoever finds a process told knows that it has got its signal.
    told.withLock { told in
      told = told.filter(tree.has)
      let new = all.subtracting(told)
      told.formUnion(new)
      let others = new.filter { process in
        let itsGroup = getpgid(process)
        return itsGroup != group && !isToldByStep(process, itsGroup)
      }
      if let group, new.contains(group) { tellGroup() }
      for process in others { kill(process, SIGTERM) }
    }
  }

  /// Whether the process that performs a step passes on to a process that it is to end, as one of the group of its command.
  private static func isToldByStep(_ process: pid_t, _ group: pid_t) -> Bool {
    guard group > 0, let parent = ProcessTree.parent(of: group) else { return false }
    var length = 0
    guard let text = coordinatord_environment(process, &length) else { return false }
    defer { free(text) }
    let variable = Array("COORDINATOR_ASK=\(parent)".utf8)
    return UnsafeRawBufferPointer(start: text, count: length).split(separator: 0).contains { $0.elementsEqual(variable) }
  }

  private static let adopts = Lock(false)

  /// Has what runs leave behind when their processes have ended become children of this process: so nothing hides by leaving
  /// its session and its environment. Not if others leave children to this process as well.
  static func adoptStrays() {
    guard getpid() != 1, ProcessTree().children(of: getpid()).isEmpty else { return }
    ProcessStart.adoptOrphans()
    adopts.withLock { $0 = true }
  }

  /// The strays that belong to one run each.
  private static let claimed = Lock<Set<pid_t>>([])

  /// Finds what hides whose it is, and that a run has left behind whose process has ended: until then, it is below that. It
  /// has become a child of this process, and belongs to the run that is the first to find it.
  ///
  /// - Parameter strays: what the run has found before; what is left of it, and what it finds.
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

  /// Whether a child of this process that it has not started lives, and carries no mark: what does is ended with its run.
  private static func isStray(_ child: pid_t) -> Bool {
    var status: Int32 = 0
    return ProcessTree.parent(of: child) == getpid() && waitpid(child, &status, WNOHANG) == 0
      && !coordinatord_is_marked(child, nil, "/\(socketPrefix)\(getpid())")
  }

  // MARK: Orphans

  /// Ends what is left of processes of this program that have not ended themselves.
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
        for orphan in all { kill(orphan, number) }
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

/// The processes of the machine, and which of them has started which, as they were at one moment.
struct ProcessTree {
  private let children: [pid_t: [coordinatord_process]]
  /// All processes that have not ended.
  let living: [pid_t]
  private let livingSet: Set<pid_t>

  /// Looks at the processes.
  init() {
    var list: UnsafeMutablePointer<coordinatord_process>?
    let count = coordinatord_list_processes(&list)
    defer { free(list) }
    let all = Array(UnsafeBufferPointer(start: list, count: count))
    children = Dictionary(grouping: all, by: \.parent)
    living = all.filter { !$0.is_over }.map(\.process)
    livingSet = Set(living)
  }

  /// Whether a process has not ended.
  func has(_ process: pid_t) -> Bool { livingSet.contains(process) }

  /// The living processes that a process has started, and all that these have started.
  func below(_ process: pid_t) -> [pid_t] {
    var found = children[process] ?? []
    var next = 0
    while next < found.count {
      found += children[found[next].process] ?? []
      next += 1
    }
    return found.filter { !$0.is_over }.map(\.process)
  }

  /// The children of a process, also those that have ended and that nobody has waited for.
  func children(of process: pid_t) -> Set<pid_t> { Set((children[process] ?? []).map(\.process)) }

  /// Returns whose child a process is; nil if there is no such process.
  static func parent(of process: pid_t) -> pid_t? {
    var found = coordinatord_process()
    return coordinatord_find_process(process, &found) ? found.parent : nil
  }
}
