import Glibc

/// A process with a pipe to its input and another from its output.
///
/// Not Foundation's `Process`: that waits for every process that inherited its descriptors, and ends up waiting for daemons.
struct Child {
  let process: pid_t
  /// Closing it is how the child learns that its parent is done.
  let input: Int32
  let output: Int32

  /// Starts a program by its path.
  init?(_ arguments: [String]) {
    // Close-on-exec: other children that are started at the same time must not hold these open.
    guard let (childInput, input) = Self.pipe() else { return nil }
    guard let (output, childOutput) = Self.pipe() else {
      close(childInput)
      close(input)
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, childInput, 0)
    posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
    // A thread of a pool may have all signals blocked, and a shell that cannot see its children end waits for ever.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var process = pid_t()
    let status = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, environ)
    for argument in argv { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(childInput)
    close(childOutput)
    guard status == 0 else {
      close(input)
      close(output)
      return nil
    }
    (self.process, self.input, self.output) = (process, input, output)
  }

  /// What the child has printed since the last time, waiting for something; nil when it is done.
  func readOutput() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// A pair of sockets, as Glibc's module has no `pipe2`.
  private static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    return (ends[0], ends[1])
  }
}
