import Glibc

/// A child process with pipes for its input and its output.
///
/// Foundation's `Process` is not suitable: it waits for every process that inherited its descriptors, including daemons.
struct Child {
  let process: pid_t
  /// The write end of the child's input. Closing it signals to the child that its parent is done.
  let input: Int32
  let output: Int32
  /// The read end of the child's stderr, if requested.
  let errors: Int32?

  /// Starts a program given by its path or by a name on `PATH`. Returns nil, with the reason in `errno`, if that fails.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: the whole environment as `NAME=value`; nil for that of this process.
  ///   - isReadingErrors: whether to create a pipe for the child's stderr; otherwise the child shares that of this
  ///     process.
  init?(_ arguments: [String], environment: [String]? = nil, readingErrors isReadingErrors: Bool = false) {
    // Close-on-exec: children that are started at the same time must not keep these open.
    let pipes = [Self.pipe(), Self.pipe(), isReadingErrors ? Self.pipe() : nil]
    guard let (childInput, input) = pipes[0], let (output, childOutput) = pipes[1] else { return nil }
    let childErrors = pipes[2]?.write
    let process = Self.spawn(
      arguments, environment: environment, descriptors: [childInput, childOutput] + (childErrors.map { [$0] } ?? []))
    let (children, ours) = ([childInput, childOutput, childErrors], [input, output, pipes[2]?.read])
    let failure = errno
    for descriptor in children + (process == nil ? ours : []) { if let descriptor { close(descriptor) } }
    errno = failure
    guard let process else { return nil }
    (self.process, self.input, self.output, errors) = (process, input, output, pipes[2]?.read)
  }

  /// Starts a process whose file descriptors from 0 on are the given ones.
  private static func spawn(_ arguments: [String], environment: [String]?, descriptors: [Int32]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // Threads of a pool may have all signals blocked, and a shell that inherits a blocked SIGCHLD waits forever for its
    // children.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A separate process group, so that Ctrl-C in a terminal reaches only this process, which then ends its children in order.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in argv + variables { free(text) } }
    var process = pid_t()
    let status =
      environment == nil
      ? posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, environ)
      : posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, &variables)
    errno = status
    return status == 0 ? process : nil
  }

  /// Waits for output of the child and returns it; returns nil at the end of the output.
  func readOutput() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Creates a pair of sockets, since the Glibc module lacks `pipe2`.
  private static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    return (ends[0], ends[1])
  }
}
