import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("What 'coordinatorctl send' expects and fills in", .timeLimit(.minutes(5)))
struct SendGuardTests {
  private static let question = Screen.message("question", title: "Question")

  private func window(_ screens: Screen...) -> MirroredWindow {
    MirroredWindow(revision: 7, screens: screens.map { Samples.presented($0) })
  }

  @Test("Nothing is sent to a screen other than the expected one, and the failure has a distinct status")
  func otherScreensAreRefused() throws {
    let expected = SendGuard(screens: ["summary", "done"])
    let failure = try #require(throws: ToolFailure.self) { try expected.check(window(Self.question)) }
    #expect(failure.cause == .stale)
    #expect(failure.lines == ["nothing was done: the screen on top is 'question', not 'summary' or 'done'"])
    #expect(throws: ToolFailure.self) { try expected.check(window()) }
    try SendGuard(screens: ["question"]).check(window(Self.question))
    try SendGuard().check(window())
  }

  @Test("A revision that is still to come cannot have been seen")
  func laterRevisionsAreRefused() throws {
    try SendGuard(seen: 7).check(window(Self.question))
    #expect(try #require(throws: ToolFailure.self) { try SendGuard(seen: 8).check(window(Self.question)) }.cause == .stale)
  }

  @Test("Where no screen is shown, nothing can have been seen")
  func nothingIsSeenWithoutAScreen() throws {
    #expect(try #require(throws: ToolFailure.self) { try SendGuard(seen: 7).check(window()) }.cause == .stale)
  }

  @Test("The values that a form shows are sent for fields that are not given, but no secrets and nothing that is not shown")
  func formsOwnValuesAreFilledIn() {
    var form = Screen.form(
      "host", title: "Host",
      form: Form(
        Field("name", .string(title: "Name")), Field("domain", .string(title: "Domain", default: "example.org")),
        Field("password", .secret(title: "Password"))),
      actions: [.primary("next", "Next"), Action("skip", "Skip")])
    form.values = ["name": "appliance"]
    #expect(form.filledIn([:], for: "next") == ["name": "appliance", "domain": "example.org"])
    #expect(form.filledIn(["name": "other"], for: "next")["name"] == "other")
    #expect(form.filledIn(["oops": 1], for: "next")["oops"] == 1)
    #expect(form.filledIn([:], for: "skip").isEmpty)
  }

  @Test("While the flow is working, the message says that the screen is busy and how to wait")
  func busyScreenSaysHowToWait() throws {
    let error = ClientError.refused(
      .unknownEvent(message: "the screen 'copy' of /a does not offer the event 'next'; it offers none"))
    let advice =
      "  the flow is working: wait with 'coordinatorctl wait pets_1', or send the event before this one with --wait"
    var screen = Screen("copy", kind: .progress, title: "Copying", progress: Progress(text: "Copying"))
    let arguments = try SendArguments(["pets_1", "next"])
    func failure() -> ToolFailure { SendRefusal(arguments, tree: "pets_1", window(screen)).failure(error) }
    #expect(failure().lines == ["the screen 'copy' is busy, and takes no event before its work has ended", advice])
    #expect(failure().cause == .unknown)
    screen.actions = [Action("stop", "Stop")]
    #expect(failure().lines == ["\(error)", advice])
    screen.progress = nil
    #expect(failure().lines == ["\(error)"])
  }

  @Test("Items and screens may be given without a key")
  func itemsMayBeGivenWithoutAKey() throws {
    let one = try SendArguments(["pets_1", "select", "lamp"])
    #expect(one.tree == "pets_1")
    #expect(one.event == "select")
    #expect(one.ids == ["lamp"])
    #expect(try one.assignments(takesSeveral: false) == [Assignment("id=lamp")])
    #expect(try one.assignments(takesSeveral: true) == [Assignment(#"ids:=["lamp"]"#)])
    let short = try SendArguments(["select", "lamp"])
    #expect(short.tree == nil)
    #expect(short.event == "select")
    #expect(short.ids == ["lamp"])
    #expect(try SendArguments(["select", "a", "b"]).assignments(takesSeveral: false) == [Assignment(#"ids:=["a","b"]"#)])
    #expect(try SendArguments(["change", "summary"]).assignments(takesSeveral: false) == [Assignment("id=summary")])
  }

  @Test("A flow tree that is called like an event can still be named")
  func treeMayBeCalledLikeAnEvent() throws {
    let arguments = try SendArguments(["select", "okay"], running: ["select"])
    #expect(arguments.tree == "select")
    #expect(arguments.event == "okay")
    #expect(arguments.ids == [])
  }
}
