import CoordinatorBus
import DBus
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("Answers that the daemon did not confirm", .timeLimit(.minutes(5)))
struct UndeliveredAnswerTests {
  /// Submits the form of the sample screen.
  private func submit(_ browser: SiteBrowser) async throws -> HTTPResponse {
    let action = try #require(Samples.logIn.actions.first { $0.id == "submit" })
    let name = SentChoice.name(of: action, on: AnswerBasis(of: Samples.logIn))
    return await browser.post(
      "flows", "pets_1", "screens", "1", fields: [("seen", "1"), (name, "submit"), ("field.username", "berta")])
  }

  @Test(
    "An answer whose reply never comes remains filled in, and the page says that it has to be sent again",
    arguments: [DBusError.noReply("the callee has left"), .serviceUnknown("nobody is there")])
  func answerRemains(error: DBusError) async throws {
    let bus = try PrivateBus()
    let daemon = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    let browser = try await SiteBrowser.open(bus)
    await daemon.fail("Delegate", error)
    let answer = try await submit(browser)
    #expect(answer.status == .seeOther)
    let page = await browser.get("flows", "pets_1", "screens", "1").text
    #expect(page.contains("berta"))
    #expect(page.contains(PageNotice.undelivered.text))
  }

  @Test("A flow that could not be started because the daemon left shows a page that tries again")
  func startIsTriedAgain() async throws {
    let bus = try PrivateBus()
    let daemon = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    let browser = try await SiteBrowser.open(bus)
    await daemon.fail("ListFlowsAfter", .noReply("the callee has left"))
    let answer = await browser.post("flows", fields: [("flow", "pets")])
    #expect(answer.status == .unavailable)
    #expect(answer.text.contains("data-awaited"))
  }
}
