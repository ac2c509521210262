import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Rule 8: The secrecy of passwords", .timeLimit(.minutes(5)))
struct CanaryTests {
  /// A password of typical length, and its hash.
  static let canary = "canary-5e2f-open-the-pod-bay-doors"
  private static let hash =
    "$6$canarysalt$BoynV4YZmNjQlnxJfPP/IacADJnthaUpW5ou38/BrDOoHQNfLflY/dIPRMTX9cmD1IpzetNoGHvxAWUcT4cBy0"

  @Test("A password, wrong or right, appears in no message, property, log line or file")
  func passwordAppearsInNoOutput() async throws {
    let directory = try AccountsDirectory(users: ["anna": Self.hash])
    let daemon = try await RunningDaemon.start(["--accounts", directory.file, "--log-level", "trace"])
    let monitor = try daemon.launch("dbus-monitor", "--session", "type=signal", "type=method_return", "type=error")
    try await monitor.prints("NameLost")
    try await submitPasswords(to: daemon)
    let properties = try await daemon.run(
      "gdbus", "call", "--session", "--dest", Contract.busName, "--object-path", Contract.rootPath.string, "--method",
      "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
    #expect(properties.output.contains("user-profile"))
    #expect(!properties.output.contains("canary"))
    monitor.signal(SIGTERM)
    let heard = await monitor.ended().output
    #expect(heard.contains("invalid-credentials"))
    #expect(!heard.contains("canary"))
    let log = await daemon.stop()
    #expect(!(log.output + log.errors).contains("canary-"))
    #expect(log.errors.contains("event=submit") && !log.errors.contains("anna"), "what is no secret is not there either")
    let contents = try directory.contents
    #expect(contents.contains { $0.contains("anna") })
    #expect(contents.allSatisfy { !$0.contains("canary-") })
  }

  @Test("A password, wrong or right, is not kept in the daemon's memory", .enabled(if: canReadMemory, "\(memoryReason)"))
  func passwordIsNotKeptInMemory() async throws {
    let directory = try AccountsDirectory(users: ["anna": Self.hash])
    let daemon = try await RunningDaemon.start(["--accounts", directory.file, "--log-level", "trace"])
    try await submitPasswords(to: daemon)
    try await Self.expectNoCanary(inMemoryOf: daemon.program.processIdentifier)
    _ = await daemon.stop()
  }

  @Test(
    "Another process of the same user cannot read the daemon's memory",
    .disabled(if: geteuid() == 0, "Root can read the memory of any process."))
  func sameUserCannotReadMemory() async throws {
    let daemon = try await RunningDaemon.start()
    let memory = open("/proc/\(daemon.program.processIdentifier)/mem", O_RDONLY)
    #expect(memory < 0)
    if memory >= 0 { close(memory) }
    _ = await daemon.stop()
  }

  /// Submits wrong and right passwords, valid and invalid ones.
  private func submitPasswords(to daemon: RunningDaemon) async throws {
    let flow = try await BusctlFlow.start("account", on: daemon)
    let wrong = Self.canary + "!"
    let tooLong = String(repeating: Self.canary, count: 10)
    for (name, password) in [("anna", wrong), ("nobody", Self.canary), ("anna", Self.canary)] {
      try await flow.send("submit", ["username": name, "password": password])
      try await flow.untilAnswered()
    }
    #expect(try await flow.names == ["user-profile"])
    // Refused payloads have been decoded, too.
    let form = try await BusctlFlow.start("account", on: daemon)
    let top = try await form.top
    for payload in [["username": "anna", "password": tooLong], ["username": "", "password": wrong], ["passwort": wrong]] {
      await #expect(throws: BusctlFlow.Refused.self) { try await form.send("submit", payload) }
    }
    try await form.dismiss()
    await #expect(throws: BusctlFlow.Refused.self) {
      try await form.send("submit", ["username": "anna", "password": wrong], to: top)
    }
    // Unknown objects, interfaces and methods, wrong types, and values nested too deeply to be decoded.
    let router = form.root + "/router"
    let nested = Array(repeating: "v", count: 40) + ["s", wrong]
    for (path, interface, call) in [
      (form.root, "Coordinator", ["Delegate", "s", wrong]), (router, "Coordinator", ["Delegate", "s", wrong]),
      (router, "Router", ["Forth", "s", wrong]), (router, "Router", ["Back", "s", wrong]),
      (flow.root, "Coordinator", ["Delegate", "s", wrong]), (flow.root, "Coordinator", ["Delegate", "v"] + nested),
      (flow.root, "Coordinator", ["Delegate", "tsa{sv}a{sv}", "0", "submit", "1", "password"] + nested + ["0"]),
    ] {
      await #expect(throws: BusctlFlow.Refused.self) { try await BusctlFlow.call(daemon, path, interface, call) }
    }
  }

  /// Whether the memory of a daemon can be searched: only root may read it, and a sanitizer keeps freed memory.
  static let canReadMemory = geteuid() == 0 && !Built.isSanitized
  static let memoryReason = "Only root may read the daemon's memory, and a sanitizer keeps what was freed."

  /// Searches the daemon's writable memory for the password, until it is gone: a call's reply may arrive before the call has
  /// been released. Requires ``canReadMemory``.
  static func expectNoCanary(inMemoryOf process: Int32) async throws {
    let memory = open("/proc/\(process)/mem", O_RDONLY)
    try #require(memory >= 0)
    defer { close(memory) }
    var (size, last) = (0, [String]())
    try await poll {
      let found = try search(memory, of: process)
      size = found.size
      if found.places != last { print("The password is in \(found.places)") }
      last = found.places
      return found.places.isEmpty
    }
    print("Looked through \(size >> 10) kB of the daemon's memory")
    #expect(size > 1 << 20)
  }

  /// Returns the number of bytes that a process can write to, and the parts of them that contain the password.
  private static func search(_ memory: Int32, of process: Int32) throws -> (size: Int, places: [String]) {
    var (size, places) = (0, [String]())
    for line in try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      let ends = words.first?.split(separator: "-").compactMap { UInt64($0, radix: 16) } ?? []
      guard ends.count == 2, words.count > 1, words[1].hasPrefix("rw") else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
      let count = pread(memory, &bytes, bytes.count, off_t(ends[0]))
      guard count > 0 else { continue }
      size += count
      if Data(bytes.prefix(count)).range(of: Data("open-the-pod-bay".utf8)) != nil { places.append(String(line)) }
    }
    return (size, places)
  }
}
