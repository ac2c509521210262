import CScripts
import Glibc
import Platform
import RendererKit

/// The keeper of a program, as `coordinatorctl` starts it.
struct KeeperProcess: Sendable {
  /// The process, which ends with the status of the program.
  let process: StartedProcess

  /// Starts a keeper, and waits until it offers the program's questions.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - order: what to keep.
  ///   - user: another user, who may reach the program; nil for none.
  ///   - place: called with the keeper before it starts the program, whose processes are where the keeper is.
  /// - Throws: ``ToolFailure``. If the keeper has said why there is none, the failure has its exit status.
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
      // Of a pipe whose reader has ended, a signal would end this process.
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
    // If the keeper has ended, that is noticed below.
    _ = coordinatord_send(hold[1], &byte, 1, nil, 0)
    guard await Self.hasByte(ends[0]) else { throw ProgramNotStarted(status: await process.status) }
  }

  /// Waits for a byte, with which the keeper says where it is; returns false if it has ended without.
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

/// A program was not started, and its keeper has said why.
struct ProgramNotStarted: Error {
  /// The exit status, as a shell has it: 126, 127, or 125 for trouble of the keeper.
  let status: Int32
}
