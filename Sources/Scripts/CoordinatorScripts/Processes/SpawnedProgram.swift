import CScripts
import Glibc
import Platform

/// A program that was started in a session of its own. Its input is empty.
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
  /// - Throws: `ProcessStart.Failure`.
  init(
    _ arguments: [String], environment: [String: String], passing: [Int32: Int32] = [:], hasErrors: Bool = true
  ) throws(ProcessStart.Failure) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else { throw ProcessStart.Failure(code: errno) }
    defer { close(ends[1]) }
    let writing = ends[1]
    do throws(ProcessStart.Failure) {
      let variables = environment.map { [CChar](argument: "\($0.key)=\($0.value)") }
      process = try ProcessStart.start(
        arguments[0], arguments.map([CChar].init(argument:)), environment: variables, inNewSession: true
      ) { actions in
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        if hasErrors {
          posix_spawn_file_actions_adddup2(&actions, writing, 2)
        } else {
          posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        for (number, descriptor) in passing { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        if let home = environment["HOME"], access(home, X_OK) == 0 { coordinatord_add_directory(&actions, home) }
      }
    } catch {
      close(ends[0])
      throw error
    }
    output = ends[0]
  }
}
