import CoordinatorBus
import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

/// The web server on the network: with TLS, and with addresses that work once.
@Suite("The web server on the network", .timeLimit(.minutes(5)))
struct WebNetworkTests {
  @Test("An address works once, and the next one is another")
  func addressWorksOnce() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon, isOnNetwork: true)
    try await web.program.prints("\n", times: 2)
    let second = web.newestEntry
    #expect(second != web.entryPath)
    #expect(try await RawHTTP.get(web.entryPath, host: web.host, at: .port(web.port)).status == 403)
    // A HEAD request, such as that of a preview, does not use up the address.
    let head = try await RawHTTP.exchange("HEAD \(second) HTTP/1.1\r\nHost: \(web.host)\r\n\r\n", at: .port(web.port))
    #expect(head.status == 403)
    let answer = try await web.enter(at: second)
    #expect(answer.status == 303)
    let cookie = try #require(answer["set-cookie"])
    for part in ["HttpOnly", "SameSite=Strict", "Path=\(web.base)", "Secure"] { #expect(cookie.contains("; " + part)) }
    #expect(try await RawHTTP.get(second, host: web.host, at: .port(web.port)).status == 403)
    #expect(try await web.enter(at: second).status == 403)
  }

  @Test("An address may be typed in lowercase, and a browser that is in stays in with a used or another one")
  func browserThatIsInStaysIn() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon, isOnNetwork: true)
    let first = try await web.browser().cookie
    try await web.program.prints("\n", times: 3)
    let typed = web.newestEntry.lowercased()
    for path in [typed, typed, web.entryPath] {
      let next = try await RunningWeb.continuation(of: path, host: web.host, port: web.port)
      let answer = try await RawHTTP.get(next, host: web.host, ["Cookie": first], at: .port(web.port))
      #expect(answer.status == 303)
      #expect(answer["location"] == web.base)
      if let cookie = answer["set-cookie"] { #expect(cookie.hasPrefix(first)) }
    }
    // The address is used up nevertheless.
    #expect(try await web.enter(at: typed).status == 403)
  }

  @Test("Plain HTTP is answered with a request to use https, and serves nothing else")
  func plainTextIsRefused() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon, isOnNetwork: true)
    try await web.program.prints("\n", times: 2)
    let plain = try await RawHTTP.get(web.newestEntry, host: web.host, at: .port(web.serverPort))
    #expect(plain.status == 400)
    #expect(plain.body.contains("https://"))
    #expect(plain["set-cookie"] == nil)
    #expect(plain["location"] == nil)
    // The address is not used up.
    #expect(try await RawHTTP.get(web.newestEntry, host: web.host, at: .port(web.port)).status == 200)
    // A connection that speaks neither protocol is closed without an answer.
    let other = try RawHTTP.connect(.port(web.serverPort))
    RawHTTP.write([0x80, 0x2e, 1, 3, 1], to: other)
    #expect(await RawHTTP.answer(on: other).status == 0)
  }

  @Test("The certificate is kept for its owner only, used again, and its fingerprint is printed")
  func certificateIsKept() async throws {
    let daemon = try await RunningDaemon.start()
    let path = daemon.bus.directory + "/coordinatord/web/certificate.pem"
    func fingerprint() async throws -> String {
      let program = try Program(
        [Built.executable("coordinator-web"), "--lan", "--json"],
        environment: daemon.environment.merging(["XDG_STATE_HOME": daemon.bus.directory]) { $1 })
      try await program.prints("\n")
      program.signal(SIGTERM)
      _ = await program.ended()
      let object = try JSONDecoder().decode([String: Announced].self, from: Data("{\"entry\":\(program.output)}".utf8))
      let entry = try #require(object["entry"])
      #expect(entry.address.hasPrefix("https://"))
      #expect(entry.code == entry.address.uppercased())
      #expect(entry.because == "start")
      #expect(entry.seconds == 600)
      return entry.fingerprint
    }
    let first = try await fingerprint()
    #expect(first.split(separator: ":").count == 32)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try await fingerprint() == first)
    // A key file that other users may have read is not trusted.
    #expect(chmod(path, 0o644) == 0)
    #expect(try await fingerprint() != first)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("SIGHUP reads the certificate again; one that cannot be used is reported, and the server keeps what it has")
  func certificateIsReadAgain() async throws {
    let daemon = try await RunningDaemon.start()
    let (certificate, key) = (daemon.bus.directory + "/server.pem", daemon.bus.directory + "/server.key")
    func generate() async throws -> String {
      let made = try Program([
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=kiosk",
        "-days", "2", "-keyout", key, "-out", certificate,
      ])
      #expect(await made.ended().status == .exited(0))
      return try String(contentsOfFile: certificate, encoding: .utf8)
    }
    let first = try await generate()
    let web = try Program(
      [Built.executable("coordinator-web"), "--certificate", certificate, "--key", key], environment: daemon.environment)
    try await web.prints("\n")
    let port = try #require(web.output.components(separatedBy: "127.0.0.1:").last?.prefix { $0.isNumber })
    func served() async throws -> String {
      let script = "import ssl, sys; print(ssl.get_server_certificate(('127.0.0.1', int(sys.argv[1]))), end='')"
      return try await Program.run(["python3", "-c", script, String(port)]).output
    }
    #expect(try await served() == first)
    let second = try await generate()
    #expect(try await served() == first)
    web.signal(SIGHUP)
    try await poll { try await served() == second }
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: certificate))
    web.signal(SIGHUP)
    try await web.says("'\(certificate)'")
    #expect(web.errors.contains("not in PEM format"))
    #expect(try await served() == second)
    try FileManager.default.removeItem(atPath: certificate)
    web.signal(SIGHUP)
    try await web.says("cannot read '\(certificate)': No such file or directory")
    #expect(try await served() == second)
  }

  @Test("A certificate of the server's own that cannot be read ends the start with what to do, and stays as it is")
  func unreadableCertificateIsReported() async throws {
    let daemon = try await RunningDaemon.start()
    let directory = daemon.bus.directory + "/coordinatord/web"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/certificate.pem"
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o600) == 0)
    let program = try Program(
      [Built.executable("coordinator-web"), "--lan"],
      environment: daemon.environment.merging(["XDG_STATE_HOME": daemon.bus.directory]) { $1 })
    let end = await program.ended()
    #expect(end.status == .exited(1))
    #expect(end.errors.contains("'\(path)' cannot be used: the certificate is not in PEM format"))
    #expect(end.errors.contains("Mend '\(path)', or remove it"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "nonsense")
  }

  private struct Announced: Decodable {
    let address: String
    let code: String
    let because: String
    let fingerprint: String
    let seconds: Int
  }

  @Test("A server that another program has started ends when its input does")
  func serverEndsWithItsInput() async throws {
    let daemon = try await RunningDaemon.start()
    let pipe = daemon.bus.directory + "/input"
    #expect(mkfifo(pipe, 0o600) == 0)
    let program = try Program(
      ["sh", "-c", "exec \"$1\" --end-with-input <\"$2\"", "sh", Built.executable("coordinator-web"), pipe],
      environment: daemon.environment)
    let writer = open(pipe, O_WRONLY | O_CLOEXEC)
    try await program.prints("\n")
    close(writer)
    #expect(await program.ended().status == .exited(0))
  }

  @Test("A certificate that cannot be used, and options that exclude each other, are refused with a reason")
  func unusableOptionsAreRefused() async throws {
    let daemon = try await RunningDaemon.start()
    let file = daemon.bus.directory + "/nonsense.pem"
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: file))
    for (options, exit, reason) in [
      (["--lan", "--certificate", file, "--key", file], 1, "not in PEM format"),
      (["--lan", "--certificate", "/nowhere", "--key", file], 1, "cannot read"),
      (["--certificate", file], 64, "require each other"), (["--lan", "--socket", "/x"], 64, "--lan"),
      (["--lan-address", "127.0.0.1"], 64, "--lan"), (["--lan", "--lan-address", "nonsense"], 64, "nonsense"),
      (["--lan", "--lan-address", "192.0.2.254"], 1, "cannot listen"),
    ] as [([String], Int32, String)] {
      let program = try Program([Built.executable("coordinator-web")] + options, environment: daemon.environment)
      let end = await program.ended()
      #expect(end.status == .exited(exit), "\(options)")
      #expect((end.output + end.errors).contains(reason), "\(options): \(end.output)\(end.errors)")
    }
  }
}
