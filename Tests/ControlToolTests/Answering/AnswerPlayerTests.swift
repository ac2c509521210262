import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The player of answers", .timeLimit(.minutes(5)))
struct AnswerPlayerTests {
  private func player(_ answers: String, policy: MissingPolicy = .fail, canAsk: Bool = false) throws -> AnswerPlayer {
    AnswerPlayer(
      try AnswersFile(yaml: "answers: {pets: {\(answers)}}"), policy: policy, canAsk: canAsk,
      names: FlowNames(root: "pets", flows: ["pets"]), requests: "r")
  }

  private func window(_ revision: UInt64, _ screen: Screen, id: UInt64 = 1) -> AnswerPlayer.Input {
    .window(Samples.window(revision, Samples.presented(screen, id: id)))
  }

  private func delegation(_ event: String, _ payload: [String: JSONValue] = [:], screen: UInt64 = 1, seen: UInt64 = 1)
    -> AnswerMove
  {
    .delegate(
      Delegation(coordinator: Samples.root, screen: screen, event: event, payload: payload, seen: seen), references: [])
  }

  @Test(
    "The player makes the move that the answer means",
    arguments: [
      (Samples.menu, "select-visit-type: sick", "sick", [:]),
      (Samples.list, "products: {select: desk}", "select", ["id": "desk"]),
      (Samples.list, "products: check-out", "check-out", [:]),
      (Samples.list, "products: {action: check-out}", "check-out", [:]),
      (Samples.logIn, "log-in: cancel", "cancel", [:]),
    ] as [(Screen, String, String, [String: JSONValue])])
  func playerMakesTheMoveOfTheAnswer(screen: Screen, answer: String, event: String, payload: [String: JSONValue]) throws {
    var player = try player(answer)
    #expect(player.handle(window(1, screen)) == [.send(delegation(event, payload), request: "r-1")])
  }

  @Test("The player stops at a held flow and says what to do")
  func playerStopsAtAHeldFlow() throws {
    var player = try player("home: {back: true}")
    let failure = player.handle(.window(MirroredWindow(revision: 1, screens: [], held: "so"))).failure
    #expect(failure?.lines.first == "the flow is held: so")
    #expect(failure?.lines.last?.contains("coordinatorctl retry") == true)
  }

  @Test("The player waits for a screen whose coordinator is held, and stops when the time is up")
  func playerWaitsForAHeldCoordinator() throws {
    var held = Samples.menu
    held.messages = [ScreenMessage.held]
    for isReleased in [true, false] {
      var player = try player("select-visit-type: sick")
      let awaited = AnswerPlayer.Awaited(screen: 1, change: .release(Samples.root))
      #expect(player.handle(window(1, held)) == [.wait(awaited)])
      #expect(player.handle(window(2, held)).isEmpty)
      if isReleased {
        #expect(player.handle(window(3, Samples.menu)) == [.send(delegation("sick", seen: 3), request: "r-1")])
      } else {
        #expect(player.handle(.waitedLongEnough(screen: 1)) == [.stopHeld(Samples.root)])
      }
    }
  }

  @Test("A screen that says itself what to add to a file is quoted")
  func screenSaysWhatToAdd() throws {
    var screen = Samples.note
    screen.messages = [
      ScreenMessage(.warning, code: "no-answer", text: "add: demo demo/one string VALUE\nadd: demo demo/two string VALUE")
    ]
    var player = try player("other: {}")
    let failure = player.handle(window(1, screen)).failure
    #expect(
      failure?.lines == [
        "no answer for answers: pets: home", "  add: demo demo/one string VALUE", "  add: demo demo/two string VALUE",
      ])
    #expect(failure?.exit == .missingAnswer)
  }

  @Test("The player goes back and dismisses")
  func playerGoesBackAndDismisses() throws {
    var back = try player("home: {back: true}")
    #expect(back.handle(window(1, Samples.note)) == [.send(.back(screen: 1), request: "r-1")])
    var dismiss = try player("home: {dismiss: true}")
    #expect(dismiss.handle(window(1, Samples.note)) == [.send(.dismiss, request: "r-1")])
  }

  @Test("The player leaves secrets as references, and stops if one cannot be read")
  func playerLeavesSecretsAsReferences() throws {
    var player = try player("log-in: {username: a, password: {fd: 3}}")
    guard case .send(.delegate(let delegation, let references), _)? = player.handle(window(1, Samples.logIn)).first else {
      Issue.record("sends nothing")
      return
    }
    #expect(delegation.payload == ["username": "a"])
    #expect(references.map(\.source) == [.descriptor(3)])
    let failure = player.handle(.unreadable(field: "password", reason: "fd 3 is not open for reading")).failure
    #expect(failure?.lines.first == "answers: pets: log-in: password: fd 3 is not open for reading")
    #expect(failure?.exit == .error)
  }

  @Test(
    "The player stops at an invalid answer and names its key, but not its value",
    arguments: [
      (
        Samples.menu, "select-visit-type: sikc",
        "answers: pets: select-visit-type: the screen does not offer 'sikc'; did you mean 'sick'?"
      ),
      (
        Samples.menu, "select-visit-type: {a: b}",
        "answers: pets: select-visit-type: requires the id of an action, without values"
      ),
      (Samples.note, "home: {a: b}", "answers: pets: home: a: unknown field: 'go' takes no values"),
      (Samples.logIn, "log-in: {name: a}", "answers: pets: log-in: name: unknown field; expected one of: username, password"),
      (
        Samples.logIn, "log-in: {username: a, password: open-sesame}",
        "answers: pets: log-in: password: is a secret, which must not be in the file; write { fd: 3 }, "
          + "{ credential: NAME } or { file: PATH }"
      ),
      (
        Samples.logIn, "log-in: {username: [a], password: {fd: 3}}",
        "answers: pets: log-in: username: must be one value, not a list"
      ),
    ])
  func playerStopsAtAnInvalidAnswer(screen: Screen, answer: String, message: String) throws {
    var player = try player(answer)
    let failure = player.handle(window(1, screen)).failure
    #expect(failure?.lines.first == message)
    #expect(failure?.exit == .error)
    #expect(
      failure?.text(tool: "x", output: ToolOutput(isJSON: false, style: TextStyle()) { _ in }).contains("sesame\n") == false)
  }

  private func rows(_ items: String..., isBusy: Bool = false) -> Screen {
    var screen = Samples.list
    screen.items = items.map { Item($0, verbatim: $0) }
    if isBusy { screen.progress = Progress() }
    return screen
  }

  @Test("The player waits for an item that is not in the list yet, even while the screen is busy")
  func playerWaitsForAnItem() throws {
    var player = try player("products: {select: desk}")
    let key = AnswerKey(flow: "pets", screen: "products")
    #expect(player.handle(window(1, rows())) == [.wait(.init(screen: 1, change: .item("desk", key)))])
    #expect(player.handle(window(2, rows("lamp", isBusy: true))).isEmpty)
    #expect(
      player.handle(window(3, rows("lamp", "desk", isBusy: true))) == [
        .send(delegation("select", ["id": "desk"], seen: 3), request: "r-1")
      ])
  }

  @Test("The player stops waiting for an item when the time is up, and lists the items there are")
  func playerStopsWaitingForAnItem() throws {
    var player = try player("products: {select: lmap}")
    #expect(player.handle(.waitedLongEnough(screen: 1)).isEmpty)
    #expect(player.handle(window(1, rows("lamp"))).count == 1)
    #expect(player.handle(.waitedLongEnough(screen: 7)).isEmpty)
    let failure = player.handle(.waitedLongEnough(screen: 1)).failure
    #expect(failure?.lines.first == "answers: pets: products: select: 'lmap' is not one of the items")
    #expect(failure?.lines.contains { $0.contains("select: ITEM") && $0.contains("lamp") } == true)
    #expect(failure?.exit == .error)
  }

  @Test("The player ignores a timeout for an item that has appeared in time")
  func timeoutAfterTheItemAppearedIsIgnored() throws {
    var player = try player("products: {select: desk}")
    _ = player.handle(window(1, rows()))
    _ = player.handle(window(2, rows("desk")))
    #expect(player.handle(.waitedLongEnough(screen: 1)).isEmpty)
  }

  @Test("The player does not answer a busy list again before its first answer is accepted")
  func busyListIsNotAnsweredTwice() throws {
    var player = try player("products: [{select: lamp}, {select: desk}]")
    #expect(player.handle(window(1, rows("lamp", "desk"))).count == 1)
    #expect(player.handle(window(2, rows("lamp", "desk", isBusy: true))).isEmpty)
    #expect(player.handle(.accepted(revision: 2)).isEmpty)
    #expect(
      player.handle(window(3, rows("lamp", "desk"))) == [
        .send(delegation("select", ["id": "desk"], seen: 3), request: "r-2")
      ])
  }

  @Test("The player names a missing answer and its possible values")
  func missingAnswerIsNamedWithItsChoices() throws {
    var player = try player("other: a")
    let failure = player.handle(window(1, Samples.menu)).failure
    #expect(
      failure?.lines == [
        "no answer for answers: pets: select-visit-type", "  expected:", "    answers:", "      pets:",
        "        select-visit-type: ACTION   # well, sick", "        select-visit-type: { back: true }",
      ])
    #expect(failure?.exit == .missingAnswer)
    #expect(failure?.json["error"]?["missing"] == [["answers", "pets", "select-visit-type"]])
  }

  @Test("The player says why a screen asks again for an answer that the file has only once")
  func reasonOfARefusalIsQuoted() throws {
    var player = try player("log-in: {username: x, password: {fd: 3}}")
    _ = player.handle(window(1, Samples.logIn))
    _ = player.handle(.accepted(revision: 2))
    var again = Samples.logIn
    again.messages = [
      .error("short", "must have 2 to 8 characters", field: "username"), .error("late", "It is late."),
      ScreenMessage(.info, code: "tip", text: "Ask your mother."),
    ]
    let failure = player.handle(window(2, again)).failure
    #expect(
      failure?.lines.prefix(4) == [
        "answers: pets: log-in: username: must have 2 to 8 characters", "answers: pets: log-in: It is late.",
        "  it was refused, and the screen is shown again: no answer for answers: pets: log-in: #2", "  expected:",
      ])
    #expect(failure?.json["error"]?["message"] == "answers: pets: log-in: username: must have 2 to 8 characters")
    #expect(failure?.exit == .missingAnswer)
  }

  @Test("A screen that has refused an answer is not given its default, and the failure says why", arguments: ["", "home: go"])
  func defaultIsNoSecondAnswer(answers: String) throws {
    var player = try player(answers, policy: .default)
    #expect(player.handle(window(1, Samples.note)) == [.send(delegation("go"), request: "r-1")])
    _ = player.handle(.accepted(revision: 2))
    var again = Samples.note
    again.messages = [.error("exists", "It exists already.")]
    let failure = player.handle(window(2, again)).failure
    #expect(failure?.lines.first == "answers: pets: home: It exists already.")
    #expect(failure?.lines.dropFirst().first?.contains("it was refused") == true)
    #expect(failure?.exit == .missingAnswer)
    // An error of something else, on a screen that has not been answered, is no refusal.
    var other = try self.player("", policy: .default)
    #expect(other.handle(window(1, again)) == [.send(delegation("go"), request: "r-1")])
  }

  @Test("The player names the missing fields of a form")
  func missingFieldsAreNamed() throws {
    var player = try player("log-in: {username: ~}")
    let failure = player.handle(window(1, Samples.logIn)).failure
    #expect(failure?.lines.first == "no answer for answers: pets: log-in: username, answers: pets: log-in: password")
    #expect(failure?.exit == .missingAnswer)
  }

  @Test("The player uses a screen's defaults if there are any and the policy allows it")
  func defaultsAreUsedIfThePolicyAllows() throws {
    var message = try player("", policy: .default)
    #expect(message.handle(window(1, Samples.note)) == [.send(delegation("go"), request: "r-1")])
    for screen in [Samples.menu, Samples.list, Samples.logIn] {
      var other = try player("products: ~", policy: .default)
      #expect(other.handle(window(1, screen)).failure?.exit == (screen == Samples.list ? nil : .missingAnswer))
    }
    var form = try player("log-in: {password: {fd: 3}}", policy: .default)
    guard case .send(.delegate(let delegation, _), _)? = form.handle(window(1, Samples.logIn)).first else {
      Issue.record("sends nothing")
      return
    }
    #expect(delegation.payload == ["username": "demo"])
  }

  @Test("The player takes the default of a menu if the policy allows it, but not on a form, and never without its confirmation")
  func defaultOfAScreenIsTaken() throws {
    let menu = Samples.menu.defaulting(to: "sick")
    var allowed = try player("", policy: .default)
    #expect(allowed.handle(window(1, menu)) == [.send(delegation("sick"), request: "r-1")])
    var strict = try player("")
    #expect(strict.handle(window(1, menu)).failure?.exit == .missingAnswer)
    var careful = menu
    careful.actions[1].confirmation = "Really?"
    var asked = try player("", policy: .default)
    #expect(asked.handle(window(1, careful)).failure?.exit == .missingAnswer)
    var form = try player("", policy: .default)
    #expect(form.handle(window(1, Samples.logIn.defaulting(to: "cancel"))).failure?.exit == .missingAnswer)
  }

  @Test("The player stops an endless repetition")
  func endlessRepetitionIsStopped() throws {
    for (answers, policy) in [("home: {repeat: go}", MissingPolicy.fail), ("", .default)] {
      var player = try player(answers, policy: policy)
      var effects = player.handle(window(1, Samples.note))
      var count = 0
      while effects.failure == nil, count < 1000 {
        count += 1
        effects = player.handle(.accepted(revision: 1))
      }
      #expect(count == AnswerPlayer.mostRepetitions)
      #expect(effects.failure?.exit == .error)
    }
  }

  @Test("The player waits while the screen is busy, and for the window that follows an answer")
  func playerWaitsForTheNextWindow() throws {
    var player = try player("select-visit-type: sick, home: go, log-in: [cancel, cancel]")
    #expect(player.handle(window(1, Samples.busy)).isEmpty)
    #expect(player.handle(window(2, Samples.menu, id: 2)) == [.send(delegation("sick", screen: 2, seen: 2), request: "r-1")])
    #expect(player.handle(.accepted(revision: 4)).isEmpty)
    #expect(player.handle(window(3, Samples.menu, id: 2)).isEmpty)
    #expect(player.handle(window(4, Samples.note, id: 3)) == [.send(delegation("go", screen: 3, seen: 4), request: "r-2")])
    #expect(
      player.handle(.ended(.finished([:]))) == [
        .end(
          .finished([:]),
          unused: [
            AnswerKey(flow: "pets", screen: "log-in", position: 0), AnswerKey(flow: "pets", screen: "log-in", position: 1),
          ])
      ])
    #expect(player.handle(window(5, Samples.menu)).isEmpty)
  }

  @Test("The player continues with the current screen when another client was faster")
  func playerContinuesAfterALostRace() throws {
    var player = try player("select-visit-type: sick, home: go")
    _ = player.handle(window(1, Samples.menu))
    let stale = AnswerPlayer.Input.refused(.refused(.staleScreen(message: "", why: .changed)))
    #expect(player.handle(stale).isEmpty)
    #expect(player.handle(window(2, Samples.menu)) == [.send(delegation("sick", seen: 2), request: "r-2")])
    #expect(player.handle(window(3, Samples.note, id: 2)).isEmpty)
    #expect(player.handle(stale) == [.send(delegation("go", screen: 2, seen: 3), request: "r-3")])
    #expect(
      player.handle(.ended(.cancelled)) == [.end(.cancelled, unused: [AnswerKey(flow: "pets", screen: "select-visit-type")])])
  }

  @Test("The player repeats a move with the same request key when the daemon is back")
  func moveIsRepeatedWithTheSameRequestKey() throws {
    var player = try player("select-visit-type: sick")
    let effects = player.handle(window(1, Samples.menu))
    #expect(player.handle(.refused(.noDaemon)).isEmpty)
    #expect(player.handle(.daemonBack) == effects)
    #expect(player.handle(.daemonBack).isEmpty)
    #expect(player.handle(.refused(.noDaemon)) == effects)
  }

  @Test(
    "The player does not decide on the window from before its move if the report that the daemon is back comes after the reply")
  func lateReportOfTheDaemonDecidesNothing() throws {
    var player = try player("select-visit-type: sick")
    #expect(!player.handle(window(1, Samples.menu)).isEmpty)
    #expect(player.handle(.accepted(revision: 2)).isEmpty)
    #expect(player.handle(.daemonBack).isEmpty)
    #expect(player.handle(window(1, Samples.menu)).isEmpty)
    #expect(player.handle(window(2, Samples.menu)).failure?.exit == .missingAnswer)
  }

  @Test("The player names the fields that the flow has refused by their keys")
  func refusedFieldsAreNamedByTheirKeys() throws {
    var player = try player("log-in: {username: a, password: {fd: 3}}")
    _ = player.handle(window(1, Samples.logIn))
    let failure = player.handle(.refused(.refused(.invalidPayload(message: "", reasons: ["username": "is too short"])))).failure
    #expect(failure?.lines == ["answers: pets: log-in: username: is too short"])
    #expect(failure?.exit == .error)
  }

  @Test("The player asks the user for a missing answer, if there is one, and then continues by itself")
  func playerAsksForMissingAnswers() throws {
    var nobody = try player("", policy: .ask)
    #expect(nobody.handle(window(1, Samples.menu)).failure?.exit == .missingAnswer)
    var player = try player("home: go", policy: .ask, canAsk: true)
    let menu = Samples.window(1, Samples.presented(Samples.menu))
    #expect(player.handle(.window(menu)) == [.ask(menu)])
    #expect(player.handle(.window(menu)) == [.ask(menu)])
    #expect(player.handle(window(2, Samples.note, id: 2)) == [.send(delegation("go", screen: 2, seen: 2), request: "r-1")])
    #expect(player.handle(.answeredByHand(revision: 2)).isEmpty)
  }
}

extension [AnswerPlayer.Effect] {
  fileprivate var failure: ToolFailure? {
    for case .stop(let failure) in self { return failure }
    return nil
  }
}
