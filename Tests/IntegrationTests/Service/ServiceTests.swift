import CoordinatorClient
import TestBus
import Testing

@Suite("coordinatord as a service", .timeLimit(.minutes(5)))
struct ServiceTests {
  @Test("The daemon notifies its service manager when it is ready, when its status changes, and when it stops")
  func daemonNotifiesItsManager() async throws {
    let inbox = try NoticeInbox()
    let daemon = try await RunningDaemon.start(through: ["env", "NOTIFY_SOCKET=\(inbox.name)"])
    var notices = inbox.notices.makeAsyncIterator()
    #expect(await notices.next() == "READY=1\n")
    #expect(await notices.next() == "STATUS=no flows, no renderers\n")
    let pets = try await Flow.start("pets", try await daemon.client())
    #expect(await notices.next() == "STATUS=1 flow, no renderers\n")
    _ = try await pets.router.attach(kind: "test")
    #expect(await notices.next() == "STATUS=1 flow, 1 renderer\n")
    #expect(await daemon.stop().status == .exited(0))
    #expect(await notices.next() == "STOPPING=1\n")
  }

  @Test("The daemon notifies the watchdog periodically if the service manager asks for it")
  func watchdogIsNotifiedPeriodically() async throws {
    let inbox = try NoticeInbox()
    let daemon = try await RunningDaemon.start(
      through: ["env", "NOTIFY_SOCKET=\(inbox.name)", "WATCHDOG_USEC=100000"])
    var notices = inbox.notices.makeAsyncIterator()
    for _ in 0..<3 { while let notice = await notices.next(), notice != "WATCHDOG=1\n" {} }
    _ = await daemon.stop()
  }

  @Test("With --idle-exit the daemon exits with status 0 after a time without flows, and not while one runs")
  func idleDaemonExitsWithZero() async throws {
    let inbox = try NoticeInbox()
    let daemon = try await RunningDaemon.start(
      through: ["env", "NOTIFY_SOCKET=\(inbox.name)", "WATCHDOG_USEC=400000"], ["--idle-exit", "1"])
    let pets = try await Flow.start("pets", try await daemon.client())
    var notices = inbox.notices.makeAsyncIterator()
    while let notice = await notices.next(), !notice.contains("1 flow") { #expect(notice != "STOPPING=1\n") }
    // The watchdog is notified every 200 ms, so ten notifications take longer than the daemon may be idle.
    var beats = 0
    while beats < 10, let notice = await notices.next() {
      #expect(notice != "STOPPING=1\n")
      beats += notice == "WATCHDOG=1\n" ? 1 : 0
    }
    #expect(beats == 10)
    _ = try await pets.coordinator.dismiss()
    let report = await daemon.program.ended()
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.errors.split(separator: "\n").allSatisfy { $0.contains(": notice: ") }, "\(report)")
    while let notice = await notices.next(), notice != "STOPPING=1\n" {}
  }
}
