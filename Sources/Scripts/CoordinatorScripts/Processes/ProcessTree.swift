import CScripts
import Glibc

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
