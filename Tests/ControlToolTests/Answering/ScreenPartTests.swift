import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import LinearTerminal
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("Answers to lists with several choices, to what cannot be chosen, and to answers under review", .timeLimit(.minutes(5)))
struct ScreenPartTests {
  private static let drinks = Screen.list(
    "drinks", title: "Drinks",
    items: [Item("tea", "Tea"), Item("coffee", "Coffee"), Item("water", "Water", disabled: "It is frozen.")])
  private static let pay = Screen.message(
    "basket", title: "Basket",
    actions: [Action.primary("pay", "Pay").disabled(because: "The basket is empty."), Action("leave", "Leave")])
  private static let question = Screen.form(
    "name", title: "Name", form: Form(Field("name", .string(title: "Name"))), actions: [.primary("next", "Next")])
  private static let summary = Screen.message("summary", title: "Summary", actions: [.primary("done", "Done")])
    .reviewing([ReviewRow("Name", "Ada", on: ScreenID(1)), ReviewRow("Nickname", "A", on: ScreenID(1)), ReviewRow("Age", "36")])
  private static let reviewed = [Samples.presented(question, id: 1), Samples.presented(summary, id: 2)]

  private func move(_ screen: Screen, _ answer: ScreenAnswer) throws -> AnswerMove {
    try AnswerReading(screen: Samples.presented(screen), revision: 1, fillsIn: false).move(answer)
  }

  private func delegation(_ move: AnswerMove?) -> Delegation? {
    if case .delegate(let delegation, _)? = move { delegation } else { nil }
  }

  private func proposal(_ screen: Screen) -> [String: JSONValue]? {
    delegation(AnswerReading(screen: Samples.presented(screen), revision: 1, fillsIn: true).proposal)?.payload
  }

  @Test("An answers file chooses several items by a list of their ids, and one by its id alone")
  func severalItemsAreAListOfIDs() throws {
    let several = Self.drinks.choosing(1...2)
    #expect(
      delegation(try move(several, .values(["select": .list(["coffee", "tea"])])))?.payload == ["ids": ["coffee", "tea"]])
    #expect(delegation(try move(several, .values(["select": .text("tea")])))?.payload == ["ids": ["tea"]])
    #expect(delegation(try move(Self.drinks.choosing(0...1), .values(["select": .list([])])))?.payload == ["ids": []])
    #expect(delegation(try move(Self.drinks, .values(["select": .list(["tea"])])))?.payload == ["id": "tea"])
  }

  @Test("No value for the item, the answer to change or the action is no answer, and never a wrong one")
  func noValueIsNoAnswer() throws {
    #expect(throws: AnswerProblem.missing(fields: [])) { try move(Self.drinks, .values(["select": .nothing])) }
    #expect(throws: AnswerProblem.missing(fields: [])) { try move(Self.drinks.choosing(0...2), .values(["select": .nothing])) }
    var review = Self.drinks
    review.review = [ReviewRow(key: "name", title: "Name", value: "Ada")]
    #expect(throws: AnswerProblem.missing(fields: [])) { try move(review, .values(["change": .nothing])) }
    let form = Screen.form(
      "f", title: "F", form: Form(Field("a", .string(title: "A"), isRequired: false)), actions: [.primary("go", "Go")])
    #expect(delegation(try move(form, .values(["action": .nothing])))?.event == "go")
  }

  @Test("The player of an answers file reports why items cannot be chosen: too many, twice, disabled, or named by their title")
  func wrongItemsAreReportedWithTheReason() {
    let several = Self.drinks.choosing(1...1)
    for (screen, value, reason) in [
      (several, .list(["tea", "coffee"]), "choose exactly 1 items, not 2"),
      (Self.drinks.choosing(1...2), .list(["tea", "tea"]), "contains 'tea' twice"),
      (Self.drinks, .list(["tea", "coffee"]), "must be the id of one item"),
      (Self.drinks, .text("water"), "'water' cannot be chosen now: It is frozen."),
      (several, .list(["Tea"]), "'Tea' is the title of an item; write its id, 'tea'"),
    ] as [(Screen, AnswerValue, String)] {
      #expect(throws: AnswerProblem.wrong(field: "select", reason)) { try move(screen, .values(["select": value])) }
    }
    #expect(throws: AnswerProblem.absent(item: "milk")) { try move(several, .values(["select": .list(["milk"])])) }
  }

  @Test("An action that cannot be chosen now is an error with its reason, and is not proposed")
  func disabledActionIsReportedWithItsReason() {
    #expect(throws: AnswerProblem.wrong(field: nil, "'pay' cannot be chosen now: The basket is empty.")) {
      try move(Self.pay, .action("pay"))
    }
    #expect(proposal(Self.pay) == nil)
  }

  @Test("A missing answer takes the items that are chosen at first, and none where none is required")
  func missingAnswerTakesTheInitialItems() {
    #expect(proposal(Self.drinks) == nil)
    #expect(proposal(Self.drinks.choosing(initial: ["coffee"])) == ["id": "coffee"])
    #expect(proposal(Self.drinks.choosing(initial: ["water"])) == nil)
    #expect(proposal(Self.drinks.choosing(1...2, initial: ["tea", "coffee"])) == ["ids": ["tea", "coffee"]])
    #expect(proposal(Self.drinks.choosing(0...2)) == ["ids": []])
    #expect(proposal(Self.drinks.choosing(1...2)) == nil)
  }

  @Test("A missing answer never takes what a screen suggests, and the offer lists it")
  func suggestionIsNeverGiven() {
    let menu = Screen.menu("size", title: "Size", choices: [Action("small", "Small"), Action("large", "Large")])
    #expect(proposal(menu.suggesting("large")) == nil)
    #expect(proposal(Self.drinks.suggesting("tea")) == nil)
    #expect(proposal(Self.drinks.choosing(1...2).suggesting(rows: ["tea"])) == nil)
    #expect(proposal(Self.drinks.choosing(initial: ["coffee"]).suggesting("tea")) == ["id": "coffee"])
    #expect(
      AnswerOffer(Samples.presented(menu.suggesting("large"), back: false)).lines
        == ["size: ACTION   # small, large; suggested: large"])
    #expect(
      AnswerOffer(Samples.presented(Self.drinks.suggesting(rows: ["tea", "water", "gone"]), back: false)).lines
        == ["drinks: { select: ITEM }   # tea, coffee; not now: water (It is frozen.); suggested: tea"])
  }

  @Test("A missing answer takes no action that asks first, but an answers file is taken at its word")
  func confirmedActionIsOnlyTakenIfNamed() throws {
    let erase = Screen.message("disk", title: "Disk", actions: [Action.primary("erase", "Erase").confirming("Really?")])
    #expect(proposal(erase) == nil)
    #expect(delegation(try move(erase, .action("erase")))?.event == "erase")
  }

  @Test("An answers file passes a review by its action, or changes an answer by the name of its screen")
  func reviewIsPassedOrChanged() throws {
    let reading = AnswerReading(screen: Self.reviewed[1], revision: 1, fillsIn: true, others: Self.reviewed)
    #expect(delegation(reading.proposal)?.event == "done")
    #expect(delegation(try reading.move(.action("done")))?.event == "done")
    let change = delegation(try reading.move(.values(["change": .text("name")])))
    #expect(change?.event == "change")
    #expect(change?.payload == ["id": 1])
    #expect(
      throws: AnswerProblem.wrong(
        field: "change", "must be the name of a screen whose answer is under review: name")
    ) {
      try reading.move(.values(["change": .text("nmae")]))
    }
  }

  @Test("The offer of a screen lists what can be chosen, what cannot, and which answers can be changed")
  func offerListsTheParts() {
    #expect(
      AnswerOffer(Samples.presented(Self.drinks.choosing(1...2, initial: ["tea"]), back: false)).lines
        == ["drinks: { select: [ITEM, ITEM] }   # 1 to 2 of tea, coffee; not now: water (It is frozen.); at first: tea"])
    #expect(
      AnswerOffer(Samples.presented(Self.pay, back: false)).lines
        == ["basket: ACTION   # leave; not now: pay (The basket is empty.)"])
    #expect(
      AnswerOffer(Self.reviewed[1], among: Self.reviewed).lines.prefix(2)
        == ["summary: ACTION   # done", "summary: { change: SCREEN }   # name"])
  }

  @Test("The recorder writes several items as a list, and no answer that was changed on a review")
  func recorderKeepsTheLastAnswer() {
    var recorder = Recorder()
    func show(_ revision: UInt64, _ screens: [PresentedScreen]) -> TerminalSession.Moment {
      .event(.window(MirroredWindow(revision: revision, screens: screens)))
    }
    func answer(_ event: String, _ payload: [String: JSONValue], on screen: UInt64) -> TerminalSession.Moment {
      .answered(Delegation(coordinator: Samples.root, screen: screen, event: event, payload: payload, seen: 1))
    }
    let drinks = Samples.presented(Self.drinks.choosing(1...2), id: 3)
    for moment in [
      show(1, [Self.reviewed[0]]), answer("next", ["name": "Ad"], on: 1), show(2, Self.reviewed),
      answer("change", ["id": 1], on: 2), show(3, [Self.reviewed[0]]), answer("next", ["name": "Ada"], on: 1),
      show(4, [Self.reviewed[0], Samples.presented(Self.summary, id: 4)]), answer("done", [:], on: 4), show(5, [drinks]),
      answer("select", ["ids": ["tea", "coffee"]], on: 3),
    ] { recorder.take(moment) }
    #expect(
      recorder.steps.map(\.answer)
        == [.values(["name": .text("Ada")]), .action("done"), .values(["select": .list(["tea", "coffee"])])])
  }

  @Test("The recorder keeps a change on a review if the screen that it shows again looks different")
  func recorderKeepsAChangeToADifferentScreen() {
    var recorder = Recorder()
    var other = Self.reviewed[0]
    other.screen.title = "Your name again"
    recorder.take(.event(.window(MirroredWindow(revision: 1, screens: Self.reviewed))))
    recorder.take(
      .answered(Delegation(coordinator: Samples.root, screen: 2, event: "change", payload: ["id": 1], seen: 1)))
    recorder.take(.event(.window(MirroredWindow(revision: 2, screens: [other]))))
    #expect(recorder.steps.map(\.answer) == [.values(["change": .text("name")])])
  }
}
