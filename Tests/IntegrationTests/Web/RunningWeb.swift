import Foundation
import TestBus

/// The built `coordinator-web` in a process of its own.
final class RunningWeb: Sendable {
  let program: Program
  /// The first line of output: the address that lets a browser in.
  let entry: String

  /// Starts the program on a daemon's bus, and waits until it serves.
  static func start(_ daemon: RunningDaemon, _ options: [String] = []) async throws -> RunningWeb {
    let program = try Program([Built.executable("coordinator-web")] + options, environment: daemon.environment)
    try await program.prints("\n")
    return RunningWeb(program: program)
  }

  private init(program: Program) {
    self.program = program
    entry = program.output.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The port of the address.
  var port: UInt16 { UInt16(host.split(separator: ":").last ?? "") ?? 0 }

  /// The host and port as browsers send them.
  var host: String { entry.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The path that lets a browser in.
  var entryPath: String {
    "/" + entry.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "/")
  }

  /// The prefix of every page's path, including the slash at its end.
  var base: String { String(entryPath.prefix { $0 != "?" }) }

  /// The path that lets the next browser in.
  var newestEntry: String {
    let entry = program.output.split(separator: "\n").last.map(String.init) ?? ""
    return "/" + entry.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "/")
  }

  /// Returns a browser that was let in.
  func browser() async throws -> PlainBrowser {
    var cookie: String?
    // The server prints the next address before it answers, but the test may read the answer first.
    try await poll {
      let answer = try await RawHTTP.get(newestEntry, host: host, at: .port(port))
      cookie = answer["set-cookie"]?.split(separator: ";").first.map(String.init)
      return cookie != nil
    }
    return PlainBrowser(web: self, cookie: cookie ?? "")
  }
}
