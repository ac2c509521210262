import Glibc

/// A program that has exited, and its complete output.
package struct FinishedProcess: Sendable {
  /// The bytes that it wrote to standard output.
  package private(set) var output: [UInt8] = []
  /// The bytes that it wrote to standard error.
  package private(set) var errors: [UInt8] = []
  /// Its exit status, or 128 plus the number of the signal that ended it.
  package private(set) var status: Int32 = 0

  /// Runs a program and waits until it has exited and both outputs have ended. Blocks the thread.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: its arguments, beginning with its name.
  ///   - environment: all its variables; nil for those of this process.
  ///   - input: a closure that writes the program's standard input to a descriptor; nil for no input. It runs before any output
  ///     is read, so the input must fit into a pipe.
  /// - Throws: ``ProcessStart/Failure``.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: ((Int32) -> Void)? = nil
  ) throws(ProcessStart.Failure) {
    let (incoming, outgoing, complaints) = (try Pipe(), try Pipe(), try Pipe())
    let process = try ProcessStart.start(
      path, arguments.map([CChar].init(argument:)),
      environment: environment.map { $0.map { [CChar](argument: "\($0.key)=\($0.value)") } }
    ) { actions in
      if input == nil {
        actions.open(STDIN_FILENO, "/dev/null", O_RDONLY)
      } else {
        actions.pass(incoming.reading, as: STDIN_FILENO)
      }
      actions.pass(outgoing.writing, as: STDOUT_FILENO)
      actions.pass(complaints.writing, as: STDERR_FILENO)
    }
    outgoing.closeWriting()
    complaints.closeWriting()
    // While a reader exists, a program that exits without reading its input does not end this process with SIGPIPE.
    input?(incoming.writing)
    incoming.closeReading()
    incoming.closeWriting()
    read(outgoing.reading, complaints.reading)
    let ended = ProcessStart.wait(for: process)
    status = ended & 0x7F == 0 ? ended >> 8 & 0xFF : 128 + ended & 0x7F
  }

  /// Reads both descriptors to their ends, in the order in which data arrives.
  private mutating func read(_ first: Int32, _ second: Int32) {
    var waiting = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while waiting.contains(where: { $0.fd >= 0 }) {
      guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else { continue }
      for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let count = Glibc.read(waiting[index].fd, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count <= 0 {
          // poll(2) ignores negative descriptors.
          waiting[index].fd = -1
        } else if index == 0 {
          output += buffer[..<count]
        } else {
          errors += buffer[..<count]
        }
      }
    }
  }
}

/// A pipe that is closed when the object is released, and that started programs do not inherit.
private final class Pipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  init() throws(ProcessStart.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProcessStart.Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}
