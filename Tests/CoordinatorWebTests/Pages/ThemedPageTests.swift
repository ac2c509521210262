import CoordinatorKit
import Testing
import Themes

@testable import CoordinatorWeb

@Suite("Pages in a theme", .timeLimit(.minutes(5)))
struct ThemedPageTests {
  private static func look() throws -> WebLook {
    let logo = try ThemeImage(Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8))
    return WebLook(Theme(name: "Kaffee & <b>Söhne</b>", logo: logo, corners: .square, fonts: ["Inter", "serif"]))
  }

  private func page(_ links: Links) -> String {
    ScreenPage(Samples.window([Samples.logIn]), of: "pets_1", links: links, token: Samples.token)?.html.markup ?? ""
  }

  @Test("The name is in the title and beside the logo, escaped; the logo is a picture, and never a part of the page")
  func nameAndLogo() throws {
    let look = try Self.look()
    let markup = page(Links(Entrance(), look: look))
    #expect(markup.contains("<title>Log in – Kaffee &amp; &lt;b&gt;Söhne&lt;/b&gt;</title>"))
    #expect(markup.contains("<span class=\"brand-name\" dir=\"auto\">Kaffee &amp; &lt;b&gt;Söhne&lt;/b&gt;</span>"))
    let logo = try #require(look.logo)
    #expect(markup.contains("/\(logo.name)\" alt=\"\""))
    #expect(!markup.contains("<svg xmlns='http"))
  }

  @Test("A logo that is opened by itself runs nothing, and is not taken for anything else")
  func logoRunsNothing() throws {
    let look = try Self.look()
    let logo = try #require(look.logo)
    let response = try #require(look.asset(named: logo.name)?.response)
    let head = String(decoding: response.head, as: UTF8.self)
    #expect(head.contains("Content-Type: image/svg+xml\r\n"))
    #expect(head.ranges(of: "Content-Security-Policy:").count == 1)
    #expect(head.contains("Content-Security-Policy: sandbox; default-src 'none'; style-src 'unsafe-inline'"))
    #expect(head.contains("X-Content-Type-Options: nosniff"))
  }

  @Test("Files have names that change with what is in them, and other names are nothing")
  func filesHaveVersions() throws {
    let (plain, own) = (WebLook(), try Self.look())
    #expect(plain.stylesheet.name != own.stylesheet.name)
    #expect(plain.script.name == own.script.name)
    #expect(own.asset(named: plain.stylesheet.name) == nil)
    #expect(plain.asset(named: "logo-1.svg") == nil)
    for asset in [own.stylesheet, own.script, own.motion, own.icon, own.doneIcon] {
      #expect(Asset.isName(asset.name))
      #expect(own.asset(named: asset.name) == asset)
    }
  }

  @Test("The stylesheet begins with the theme, and nothing in it can end a rule")
  func stylesheet() throws {
    let text = String(decoding: try Self.look().stylesheet.bytes.prefix(1500), as: UTF8.self)
    #expect(text.contains("--corner: 0;"))
    #expect(text.contains("--font: \"Inter\", serif, system-ui,"))
    #expect(text.contains("--accent: #2f5bd3;"))
  }

  @Test("Without a theme, no page that a user sees names the daemon")
  func daemonIsNotNamed() {
    let links = Links(Entrance(), isForOneFlow: true)
    let pages = [
      page(links), PlainPage.stranger(links).html.markup, PlainPage.notFound(links).html.markup,
      PlainPage.daemonAway(links, awaiting: links.home).html.markup, PlainPage.crowded(links).html.markup,
      PlainPage.failed(links, "x").html.markup, PlainPage.unshowable(links).html.markup,
      EntryPage(links: links, target: links.home).html.markup, PageNotice.undelivered.text,
    ]
    for page in pages { #expect(!page.contains("coordinatord")) }
  }

  @Test("The title of a page has first what matters most")
  func titles() {
    #expect(PageTitle("Log in", site: nil).text == "Log in")
    #expect(PageTitle("Log in", hasError: true, site: "Shop").text == "Error: Log in – Shop")
    #expect(PageTitle("Installing", percent: "35%", site: nil).text == "35% – Installing")
    #expect(PageTitle("Done", isDone: true, site: "Shop").text == "✓ Done – Shop")
    #expect(PageTitle("", site: "Shop").text == "Shop")
    #expect(PageTitle("Shop", site: "Shop").text == "Shop")
  }

  @Test("The row above the title is there on the first screen as well, and there is one way back")
  func rowOfTools() throws {
    let one = Samples.page(Samples.logIn)
    #expect(one.contains("id=\"tools\""))
    let screens = (1...3).map { Screen.message("s", title: Text(verbatim: "Screen \($0)")) }
    func markup(_ count: Int) -> String {
      let window = Samples.window(Array(screens.prefix(count)))
      return ScreenPage(window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup ?? ""
    }
    #expect(markup(2).contains("id=\"tools\"") && markup(2).contains("id=\"back\"") && !markup(2).contains("id=\"trail\""))
    #expect(markup(3).contains("id=\"back\"") && markup(3).contains("<details id=\"earlier\">"))
  }

  @Test("A locked page offers no way out")
  func lockedPage() {
    var links = Links(Entrance(), isForOneFlow: true)
    #expect(page(links).contains("End this flow"))
    links.isLocked = true
    #expect(!page(links).contains("End this flow"))
    #expect(!page(links).contains("href=\"\(links.home)\""))
    let window = Samples.window([Samples.logIn])
    #expect(EndingPage(of: 1, in: window, of: "pets_1", links: links, token: Samples.token) == nil)
  }

  @Test("The steps are drawn as far as they can be counted")
  func steps() {
    #expect(StepMarkup(step: Step(2, of: 4)).html.markup.ranges(of: "<span").count == 4)
    #expect(!StepMarkup(step: Step(2)).html.markup.contains("<span"))
    #expect(!StepMarkup(step: Step(2, of: 40)).html.markup.contains("<span"))
  }
}
