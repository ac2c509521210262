import CScripts
import Glibc
import Platform
import RendererKit

/// The keeper process of a program, as `coordinatorctl` starts it.
struct KeeperProcess: Sendable {
  /// The process, which exits with the status of the program.
  let process: StartedProcess

  /// Starts a keeper, and waits until it offers the program's questions.
  ///
  /// - Parameters:
  ///   - name: name of the program.
  ///   - order: program to keep.
  ///   - user: another user, who may reach the program; nil for none.
  ///   - place: closure that moves the keeper to its control group before the keeper starts the program, whose processes
  ///     inherit the group.
  /// - Throws: ``ToolFailure``; ``ProgramNotStarted`` with the exit status of the keeper if the keeper has reported the reason.
  init(_ name: String, _ order: ProgramOrder, sharedWith user: uid_t?, place: (StartedProcess) async -> Void) async throws {
    guard let keeper = OwnProgram.helper("coordinator-keeper") else {
      throw ToolFailure(["coordinator-keeper was not found: coordinatorctl is not completely installed"])
    }
    var arguments = ["--name", name, "--size", order.size, "--hold", "\(STDIN_FILENO)"].map([CChar].init(argument:))
    if let title = order.title { arguments += ["--title", title].map([CChar].init(argument:)) }
    if let selections = order.selections { arguments += ["--selections", selections].map([CChar].init(argument:)) }
    for descriptor in order.passed { arguments += ["--pass", "\(descriptor)"].map([CChar].init(argument:)) }
    if let user { arguments += ["--share", "\(user)"].map([CChar].init(argument:)) }
    arguments += [[CChar](argument: "--")] + order.program
    var ends: [Int32] = [-1, -1], hold: [Int32] = [-1, -1]
    defer { for end in [ends[0], hold[1]] where end >= 0 { close(end) } }
    do {
      defer { for end in [ends[1], hold[0]] where end >= 0 { close(end) } }
      // A socket instead of a pipe, because writing to a pipe without a reader would end this process with SIGPIPE.
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard coordinatord_pipe(&ends) == 0, socketpair(AF_UNIX, kind, 0, &hold) == 0 else {
        throw ToolFailure(["no pipe: \(String(cString: strerror(errno)))"])
      }
      let (input, output) = (hold[0], ends[1])
      process = try SudoUser.asRoot { () throws(StartedProcess.Failure) in
        try StartedProcess(keeper, arguments, input: input, output: output)
      }
    } catch let error as StartedProcess.Failure {
      throw ToolFailure(["\(error)"])
    }
    await place(process)
    var byte: UInt8 = 0
    // The end of the keeper is detected below.
    _ = coordinatord_send(hold[1], &byte, 1, nil, 0)
    guard await Self.hasByte(ends[0]) else { throw ProgramNotStarted(status: await process.status) }
  }

  /// Waits for the byte with which the keeper announces its socket; returns false if the keeper has ended without it.
  private static func hasByte(_ descriptor: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      let isReading = Thread.start(name: "keeper-start") {
        var byte: UInt8 = 0
        var count = read(descriptor, &byte, 1)
        while count < 0, errno == EINTR { count = read(descriptor, &byte, 1) }
        continuation.resume(returning: count == 1)
      }
      if !isReading { continuation.resume(returning: false) }
    }
  }
}

/// The error for a program that was not started, after its keeper has reported the reason.
struct ProgramNotStarted: Error {
  /// The exit status in the format of a shell: 126, 127, or 125 for a failure of the keeper.
  let status: Int32
}
