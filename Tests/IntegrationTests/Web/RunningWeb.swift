import Foundation
import TestBus

/// The built `coordinator-web` in a separate process.
final class RunningWeb: Sendable {
  let program: Program
  /// The first line of output: the address that lets a browser in.
  let entry: String

  /// The program that wraps plain connections in TLS; nil if the server speaks plain HTTP.
  private let tunnel: Program?
  /// The port to connect to without TLS.
  let port: UInt16
  /// The port that the server itself listens on.
  let serverPort: UInt16
  /// The prefix of every page's path, including the slash at its end.
  let base: String

  /// Starts the program on a daemon's bus, and waits until it serves. With `isOnNetwork`, it serves on the network, with
  /// TLS, and its first address is used up.
  static func start(_ daemon: RunningDaemon, _ options: [String] = [], isOnNetwork: Bool = false) async throws -> RunningWeb {
    let environment = daemon.environment.merging(["XDG_STATE_HOME": daemon.bus.directory]) { $1 }
    let program = try Program(
      [Built.executable("coordinator-web")] + options + (isOnNetwork ? ["--lan"] : []), environment: environment)
    try await program.prints("\n")
    let entry = program.output.split(separator: "\n").first.map(String.init) ?? ""
    let serverPort = UInt16(host(of: entry).split(separator: ":").last ?? "") ?? 0
    guard isOnNetwork else {
      let base = String(path(of: entry).prefix { $0 != "?" })
      return RunningWeb(program: program, entry: entry, tunnel: nil, port: serverPort, serverPort: serverPort, base: base)
    }
    let tunnel = try Program([
      "python3", Built.checkedOut("Tests/IntegrationTests/Clients/tls-tunnel.py"), String(serverPort),
    ])
    try await tunnel.prints("\n")
    let port = UInt16(tunnel.output.split(separator: "\n").first ?? "") ?? 0
    // Only the page at the address contains the path of the other pages.
    let next = try await continuation(of: path(of: entry), host: host(of: entry), port: port)
    _ = try await RawHTTP.get(next, host: host(of: entry), at: .port(port))
    return RunningWeb(
      program: program, entry: entry, tunnel: tunnel, port: port, serverPort: serverPort,
      base: String(next.prefix { $0 != "?" }))
  }

  /// Returns the path to which the page behind a code redirects at once; empty if it does not redirect.
  static func continuation(of path: String, host: String, port: UInt16) async throws -> String {
    let page = try await RawHTTP.get(path, host: host, at: .port(port)).body
    return page.components(separatedBy: "<a href=\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) } ?? ""
  }

  /// Opens an address like a browser without a session.
  func enter(at path: String) async throws -> RawHTTP.Answer {
    guard tunnel != nil else { return try await RawHTTP.get(path, host: host, at: .port(port)) }
    return try await RawHTTP.get(
      try await Self.continuation(of: path, host: host, port: port), host: host, at: .port(port))
  }

  private init(program: Program, entry: String, tunnel: Program?, port: UInt16, serverPort: UInt16, base: String) {
    self.program = program
    self.entry = entry
    self.tunnel = tunnel
    self.port = port
    self.serverPort = serverPort
    self.base = base
  }

  private static func host(of address: String) -> String {
    address.split(separator: "/").dropFirst().first.map(String.init) ?? ""
  }

  private static func path(of address: String) -> String {
    "/" + address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "/")
  }

  /// The host and port as browsers send them.
  var host: String { Self.host(of: entry) }

  /// The origin of the pages, as browsers send it.
  var origin: String { entry.split(separator: "/").first.map { "\($0)//\(host)" } ?? "" }

  /// The path that lets a browser in.
  var entryPath: String { Self.path(of: entry) }

  /// The path that lets the next browser in.
  var newestEntry: String {
    Self.path(of: program.output.split(separator: "\n").last { $0.hasPrefix("http") }.map(String.init) ?? "")
  }

  /// Returns a browser that was let in.
  func browser() async throws -> PlainBrowser {
    var cookie: String?
    // The server prints the next address before it answers, but the test may read the answer first.
    try await poll {
      let answer = try await enter(at: newestEntry)
      cookie = answer["set-cookie"]?.split(separator: ";").first.map(String.init)
      return cookie != nil
    }
    return PlainBrowser(web: self, cookie: cookie ?? "")
  }
}
