import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Questions before actions, and disabled actions", .timeLimit(.minutes(5)))
struct ConfirmationTests {
  private static let erase = Action.destructive("erase", "Erase").confirming("Erase sda?")
  private static let disk = Screen.message("disk", title: "Disk", actions: [erase])

  /// Returns the page with the question after a button of a screen was pressed, while another screen is shown.
  private static func asking(_ shown: Screen, after screen: Screen) throws -> String? {
    let choice = SentChoice(event: "erase", basis: AnswerBasis(of: screen).digits(for: try #require(screen.actions.first)))
    let window = Samples.window([shown])
    return ConfirmationPage(
      of: choice, seen: 3, on: 1, in: window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
  }

  @Test("The page of a question has the question, the action's title, and a way out that has the focus")
  func questionHasAPage() throws {
    let page = try #require(try Self.asking(Self.disk, after: Self.disk))
    #expect(page.contains(">Erase sda?</h1>"))
    #expect(page.contains("<title>Erase sda?</title>"))
    #expect(page.contains("/screens/1\" lang=\"en\" autofocus>Cancel</a>"))
    #expect(page.contains("class=\"destructive\" name=\"confirmed."))
    // The user has seen the page before.
    #expect(page.contains("name=\"seen\" value=\"3\""))
  }

  @Test("Rule 6: A question that has become another, or none, is not asked")
  func changedQuestionIsNotAsked() throws {
    let other = Screen.message("disk", title: "Disk", actions: [Self.erase.confirming("Erase sdb?")])
    #expect(try Self.asking(other, after: Self.disk) == nil)
    let plain = Screen.message("disk", title: "Disk", actions: [.destructive("erase", "Erase")])
    #expect(try Self.asking(plain, after: plain) == nil)
    #expect(try Self.asking(.message("disk", title: "Another disk", actions: [Self.erase]), after: Self.disk) == nil)
  }

  @Test("Only the button of the question sends an action that has one")
  func onlyTheQuestionsButtonSends() {
    let basis = AnswerBasis(of: Self.disk)
    let pressed = SentChoice([SentChoice.name(of: Self.erase, on: basis): "erase"])
    #expect(pressed.unconfirmedAction(of: Self.disk) == Self.erase)
    let confirmed = SentChoice([SentChoice.name(of: Self.erase, on: basis, isConfirmed: true): "erase"])
    #expect(confirmed.unconfirmedAction(of: Self.disk) == nil)
    #expect(confirmed.button == .event("erase") && confirmed.holds(on: Self.disk))
  }

  @Test("A form asks on its own page, so that nothing is lost that was typed, and Enter does not answer the question")
  func formAsksOnItsOwnPage() throws {
    var form = Samples.logIn
    form.actions = [Action.primary("submit", "Log in").confirming("Log in for everyone?")]
    let page = Samples.page(form)
    #expect(page.contains("<details id=\"ask-"))
    #expect(page.contains("<summary class=\"button primary\">"))
    #expect(page.contains(">Log in for everyone?</p>"))
    #expect(!page.contains("name=\"event."))
    let first = try #require(page.split(separator: "id=\"answer\"").last?.split(separator: "<button").dropFirst().first)
    #expect(first.hasPrefix(" id=\"entered\" disabled hidden>"))
    var draft = Draft(screen: 1)
    #expect(!page.contains(" open>"))
    draft.asking = "submit"
    #expect(Samples.page(form, draft: draft).contains("class=\"ask\" open>"))
  }

  @Test("A disabled action is shown with its reason, can take the focus, and sends nothing")
  func disabledActionHasItsReason() {
    let actions = [
      Action.primary("pay", "Pay").disabled(because: "The basket is empty."), Action("more", "More").explained("Why"),
    ]
    let page = Samples.page(.message("m", title: "M", actions: actions))
    #expect(
      page.contains("<button type=\"button\" aria-disabled=\"true\" class=\"primary\" aria-describedby=\"action-0-note\">"))
    #expect(
      page.contains("id=\"action-0-note\" class=\"hint reason\" dir=\"auto\">Not available: The basket is empty.</p>"))
    #expect(page.contains("id=\"action-1-note\" class=\"hint\" dir=\"auto\">Why</p>"))
    #expect(!page.contains("value=\"pay\""))
    let menu = Samples.page(.menu("m", title: "M", choices: [Action("a", "A").disabled(because: "Not today.")]))
    #expect(menu.contains("aria-disabled=\"true\" data-key=\"1\" class=\"choice-button\" aria-describedby=\"action-0-note\""))
    #expect(menu.contains("Not available: Not today."))
    var form = Samples.logIn
    form.actions = [.primary("submit", "Log in").disabled(because: "Too late."), .cancel("cancel", "Cancel")]
    #expect(Samples.page(form).contains("id=\"entered\" disabled hidden"))
  }
}
