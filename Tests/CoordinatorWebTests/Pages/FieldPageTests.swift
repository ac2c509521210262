import CoordinatorKit
import Testing

@testable import CoordinatorWeb
@testable import RendererKit

@Suite("Fields with conditions and hints on a page", .timeLimit(.minutes(5)))
struct FieldPageTests {
  private let own = "Use 8 to 63 characters."
  private var fields: [Field] {
    [
      Field(
        "security",
        Schema(
          .choice([
            Schema.Choice("open", title: "Open"),
            Schema.Choice("wpa", title: "WPA", annotations: ["description": "With a passphrase"]),
          ]), title: "Security")),
      Field(
        "passphrase",
        .secret(title: "Passphrase", length: 8...63).revealable.explained(Text(verbatim: own)).meant(for: .currentPassword)
      )
      .shown(if: "security", is: "wpa"),
      Field("login", .string(title: "Log-in name").meant(for: .username).example("ada")).optional,
      Field("cache", .integer(title: "Cache").measured(in: "MB")).optional,
      Field("notes", .multilineText(title: "Notes").meant(for: .streetAddress).example("like this")).optional,
      Field("hosts", .array(of: .object(Field("ip", .ipAddress(title: "IP address"))), title: "Hosts")).optional,
    ]
  }

  private func page(
    _ values: [String: JSONValue] = [:], draft: Draft? = nil, progress: CoordinatorKit.Progress? = nil
  ) -> String {
    let screen = Screen(
      "network", kind: .form, title: "Network", actions: [.primary("send", "Send")], form: Form(fields), values: values,
      progress: progress)
    return Samples.page(screen, draft: draft)
  }

  private func answer(_ pairs: String) throws -> FormAnswer {
    FormAnswer(try FormBody(decoding: Array(pairs.utf8)), fields: fields)
  }

  @Test("A page shows every field, with its condition in words and for the script")
  func conditionIsInWordsAndForTheScript() {
    let page = page()
    #expect(page.contains("Only if Security is WPA.</p>"))
    let json = "[{\"name\":\"field.security\",\"values\":[\"wpa\"]}]"
    #expect(page.contains("data-shown-if=\"\(json.replacing("\"", with: "&quot;"))\""))
    #expect(page.split(separator: "data-shown-if").count == 2)
    // It is required only while it is shown, so the page neither calls it optional nor requires it.
    let group = page.split(separator: "id=\"field-1-group\"").last?.split(separator: "</div>").first ?? ""
    #expect(group.contains("type=\"password\""))
    #expect(!group.contains("(optional)"))
    #expect(!group.contains("required"))
  }

  @Test("A value of a field whose condition does not hold is not sent on, nor is its secret")
  func valueOfAHiddenFieldIsDropped() throws {
    let open = try answer("field.security=open&field.passphrase=correct+horse&field.login=ada")
    #expect(open.payload == ["security": "open", "login": "ada"])
    let secured = try answer("field.security=wpa&field.passphrase=correct+horse&field.login=")
    #expect(secured.payload == ["security": "wpa", "passphrase": "correct horse"])
  }

  @Test("Hints become a purpose, an example, a unit, several lines, and what explains a choice")
  func hintsAreDrawn() {
    let page = page()
    #expect(page.contains("autocomplete=\"username\""))
    #expect(page.contains("autocomplete=\"current-password\""))
    #expect(page.contains("placeholder=\"ada\""))
    #expect(page.contains("class=\"unit\" dir=\"auto\">MB</span>"))
    #expect(page.contains("autocomplete=\"street-address\""))
    #expect(page.contains("Such as like this.</p>"))
    #expect(page.contains("With a passphrase</span>"))
    #expect(FieldControl(.multilineText(title: "Notes")) == .area)
  }

  @Test("A secret that may be shown has a button for the script, which is hidden without it and on a busy page")
  func secretHasAButtonToShowIt() {
    #expect(page().contains("data-reveals=\"field-1\" aria-controls=\"field-1\" aria-pressed=\"false\" hidden>"))
    #expect(!page(progress: .init(text: "Checking")).contains("data-reveals"))
    #expect(!Samples.page(Samples.logIn).contains("data-reveals"))
  }

  @Test("A reason that its author wrote stands alone, and one for an entry is shown at its list")
  func reasonsAreShownAtTheirFields() {
    let reasons = ["passphrase": own, "login": "is taken", "hosts[1].ip": "is in use", "colour": "is not a known field"]
    let typed = ["hosts": ["ip=192.0.2.1", "ip=192.0.2.2"]]
    let page = page(draft: Draft(screen: 1, typed: typed, reasons: reasons))
    #expect(page.contains("<a href=\"#field-1\" dir=\"auto\">\(own)</a>"))
    #expect(page.contains("<a href=\"#field-2\" dir=\"auto\">Log-in name is taken</a>"))
    #expect(page.contains("<a href=\"#field-5-1-0\" dir=\"auto\">Hosts, entry 2: IP address is in use</a>"))
    #expect(page.contains("colour is not a known field"))
  }

  @Test("A countdown is in the page with what its script needs, and reloads a page without script unless it is filled in")
  func countdownIsInThePage() throws {
    var message = Screen.message("m", title: "M")
    message.until = Timestamp(microseconds: 12_500_000)
    func markup(_ screen: Screen) throws -> String {
      var page = try #require(ScreenPage(Samples.window([screen]), of: "pets_1", links: Samples.links, token: Samples.token))
      page.now = Timestamp(microseconds: 1_000_000)
      return page.html.markup
    }
    let page = try markup(message)
    #expect(page.contains("data-left=\"11500\" data-pattern=\"Continues by itself in {duration}\""))
    #expect(page.contains(">Continues by itself in 12 s</p>"))
    #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"13\">"))
    var form = Samples.logIn
    form.until = message.until
    #expect(try markup(form).contains("Continues by itself in 12 s"))
    #expect(try !markup(form).contains("noscript"))
    #expect(try !markup(Samples.logIn).contains("id=\"countdown\""))
  }
}
