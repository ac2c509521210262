import CScripts
import Glibc
import Platform

/// A program that was started in a session of its own, and below which all stays that it starts. Its input is empty.
struct SpawnedProgram {
  let process: pid_t
  /// Where its output can be read. To be closed by whoever has started it.
  let output: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments, at least the program.
  ///   - environment: all variables.
  ///   - passing: descriptors of this process by the number that they have in the program.
  ///   - hasErrors: whether what it writes to stderr is part of its output, and not discarded.
  ///   - endsWithThread: whether it is killed when the calling thread ends, and with this process at the latest.
  /// - Throws: `ProcessStart.Failure`.
  init(
    _ arguments: [String], environment: [String: String], passing: [Int32: Int32] = [:], hasErrors: Bool = true,
    endsWithThread: Bool = false
  ) throws(ProcessStart.Failure) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else { throw ProcessStart.Failure(code: errno) }
    defer { close(ends[1]) }
    let writing = ends[1]
    do throws(ProcessStart.Failure) {
      let variables = environment.map { [CChar](argument: "\($0.key)=\($0.value)") }
      process = try ProcessStart.start(
        arguments[0], arguments.map([CChar].init(argument:)), environment: variables,
        endsWithThread ? [.ownSession, .reaper, .endsWithThread] : [.ownSession, .reaper]
      ) { actions in
        actions.open(0, "/dev/null", O_RDONLY)
        actions.pass(writing, as: 1)
        if hasErrors {
          actions.pass(writing, as: 2)
        } else {
          actions.open(2, "/dev/null", O_WRONLY)
        }
        for (number, descriptor) in passing { actions.pass(descriptor, as: number) }
        if let home = environment["HOME"], access(home, X_OK) == 0 { actions.enter(home) }
      }
    } catch {
      close(ends[0])
      throw error
    }
    output = ends[0]
  }
}
