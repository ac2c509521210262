import CoordinatorKit
import RendererKit
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("A flow that starts again when no user is present", .timeLimit(.minutes(5)))
struct KioskTests {
  @Test("Pages of earlier runs do not count as a present user, and those of the current run do")
  func earlierRunsDoNotCount() async throws {
    let bus = try PrivateBus()
    _ = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    let flow = FlowRuns("pets", input: [:], tree: TreeDaemon.root)
    let browser = try await SiteBrowser.open(
      bus, scope: .flow(flow), policy: KioskPolicy(isLocked: true, restartTime: nil, idleTime: .seconds(3600)))
    let keeper = try #require(browser.site.keeper)
    for page in ["alive", "again"] { _ = await browser.post("flows", "pets_0", page) }
    _ = await browser.post("flows", fields: [("flow", "pets")])
    #expect(await !keeper.isTouched)
    #expect(await browser.post("flows", "pets_1", "alive").status == .seeOther)
    #expect(await keeper.isTouched)
  }
}
