import Glibc
import Testing

@testable import Platform

@Suite("Service manager notifications", .timeLimit(.minutes(5)))
struct ServiceManagerTests {
  @Test("Each notice arrives as its own datagram, at a path and at an abstract name", arguments: [false, true])
  func noticesAreSeparateDatagrams(isAbstract: Bool) throws {
    let inbox = try Inbox(isAbstract: isAbstract)
    let manager = try #require(ServiceManager { ["NOTIFY_SOCKET": inbox.name][$0] })
    manager.tell(.ready)
    manager.tell(.status("2 flows\nand READY=1"))
    manager.tell(.reloading(since: 42))
    manager.tell(.needsTime(.seconds(3)))
    manager.tell(.watchdog)
    manager.tell(.stopping)
    let heard = (0..<6).map { _ in inbox.next() }
    #expect(
      heard == [
        "READY=1\n", "STATUS=2 flows and READY=1\n", "RELOADING=1\nMONOTONIC_USEC=42\n", "EXTEND_TIMEOUT_USEC=3000000\n",
        "WATCHDOG=1\n", "STOPPING=1\n",
      ])
  }

  @Test(
    "Without a valid notification socket, there is no service manager",
    arguments: [nil, "", "@", "/", "relative", "vsock:2:3", "/" + String(repeating: "x", count: 200)])
  func invalidSocketMeansNoManager(socket: String?) { #expect(ServiceManager { ["NOTIFY_SOCKET": socket][$0] ?? nil } == nil) }

  @Test("A service manager that is gone or does not read never blocks the sender")
  func unresponsiveManagerBlocksNothing() throws {
    var inbox: Inbox? = try Inbox(isAbstract: true)
    let name = try #require(inbox?.name)
    let manager = try #require(ServiceManager { ["NOTIFY_SOCKET": name][$0] })
    // More notifications than any socket buffer holds.
    for _ in 0..<10_000 { manager.tell(.watchdog) }
    #expect(inbox?.next() == "WATCHDOG=1\n")
    inbox = nil
    manager.tell(.stopping)
  }

  @Test("The watchdog interval is read from the environment, unless it is meant for another process")
  func watchdogIntervalIsRead() throws {
    func interval(_ variables: [String: String]) -> Duration? {
      ServiceManager(environment: { variables.merging(["NOTIFY_SOCKET": "@none"]) { $1 }[$0] }, process: 7)?.watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "1500000"]) == .milliseconds(1500))
    #expect(interval(["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "7"]) == .milliseconds(1500))
    #expect(interval(["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "8"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
    #expect(interval([:]) == nil)
  }

  @Test("A reload notice states its start time on the monotonic clock")
  func reloadTimeIsMonotonic() {
    var before = timespec()
    clock_gettime(CLOCK_MONOTONIC, &before)
    guard case .reloading(let time) = Notice.reloading else { return #expect(Bool(false), "not a reload") }
    #expect(time >= UInt64(before.tv_sec) * 1_000_000 && time < UInt64(before.tv_sec + 60) * 1_000_000)
  }
}

@Suite("Sockets passed by the service manager", .timeLimit(.minutes(5)))
struct PassedSocketTests {
  private func passed(_ variables: [String: String]) -> [PassedSocket] {
    PassedSocket.all(environment: { variables[$0] }, process: 7)
  }

  @Test("Passed sockets start at descriptor 3 and carry the names from their unit")
  func passedSocketsKeepNames() {
    let sockets = passed(["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:"])
    #expect(sockets.map(\.descriptor) == [3, 4, 5])
    #expect(sockets.map(\.name) == ["http", "", ""])
  }

  @Test(
    "No sockets are passed if the variables are invalid or meant for another process",
    arguments: [
      [:], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "7"],
      ["LISTEN_PID": "7", "LISTEN_FDS": "0"], ["LISTEN_PID": "7", "LISTEN_FDS": "-1"],
      ["LISTEN_PID": "7", "LISTEN_FDS": "2147483647"], ["LISTEN_PID": "7", "LISTEN_FDS": "one"],
    ])
  func invalidSocketVariablesPassNothing(variables: [String: String]) { #expect(passed(variables).isEmpty) }
}

/// A socket that acts as the service manager's.
private final class Inbox {
  let name: String
  private let socket: Int32

  init(isAbstract: Bool) throws {
    let unique = "coordinatord-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
    name = isAbstract ? "@\(unique)" : "/tmp/\(unique)"
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let address = try #require(UnixAddress(name))
    try #require(address.withSocketAddress { bind(socket, $0, $1) } == 0)
  }

  deinit {
    close(socket)
    if name.hasPrefix("/") { unlink(name) }
  }

  func next() -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(socket, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
