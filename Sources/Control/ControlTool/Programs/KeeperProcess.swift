import CScripts
import Glibc
import RendererKit

/// The keeper of a program, as `coordinatorctl` starts it.
struct KeeperProcess: Sendable {
  private let process: StartedProcess

  /// Starts a keeper, and waits until it offers the program's questions.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - order: what to keep.
  ///   - user: another user, who may reach the program; nil for none.
  /// - Throws: ``ToolFailure``. If the keeper has said why there is none, the failure has its exit status.
  init(_ name: String, _ order: ProgramOrder, sharedWith user: uid_t?) async throws {
    guard let keeper = Self.path else {
      throw ToolFailure(["coordinator-keeper is missing: it is installed with coordinatorctl"])
    }
    var arguments = ["--name", name, "--size", order.size].map([CChar].init(argument:))
    if let title = order.title { arguments += ["--title", title].map([CChar].init(argument:)) }
    if let selections = order.selections { arguments += ["--selections", selections].map([CChar].init(argument:)) }
    if let user { arguments += ["--share", "\(user)"].map([CChar].init(argument:)) }
    arguments += [[CChar](argument: "--")] + order.program
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else { throw ToolFailure(["no pipe: \(String(cString: strerror(errno)))"]) }
    defer { close(ends[0]) }
    do {
      defer { close(ends[1]) }
      let output = ends[1]
      process = try SudoUser.asRoot { () throws(StartedProcess.Failure) in
        try StartedProcess(keeper, arguments, output: output)
      }
    } catch {
      throw ToolFailure(["\(error)"])
    }
    var byte: UInt8 = 0
    // The keeper says where it is, or ends.
    let hasStarted = read(ends[0], &byte, 1) == 1
    guard hasStarted else { throw ProgramNotStarted(status: await process.status) }
  }

  /// The id of the process.
  var id: pid_t { process.id }

  /// Whether the keeper has ended.
  var isOver: Bool { process.isOver }

  /// Ends the keeper, and with it the program.
  func terminate() { process.terminate() }

  /// The path of the program: beside this one, or where programs are that only programs start.
  private static var path: String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = String(cString: own)
    let directory = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    let places = ["\(directory)", "\(directory)/../libexec/coordinatord", "\(directory)/../lib/coordinatord"]
    return places.map { "\($0)/coordinator-keeper" }.first { access($0, X_OK) == 0 }
  }
}

/// A program was not started, and its keeper has said why.
struct ProgramNotStarted: Error {
  /// The exit status, as a shell has it: 126, 127, or 125 for trouble of the keeper.
  let status: Int32
}
