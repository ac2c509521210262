import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("The page that leads to a phone", .timeLimit(.minutes(5)))
struct PhonePageTests {
  private var page: PhonePage { PhonePage(links: Samples.links, tree: "pets_1", token: Samples.token) }

  @Test("A page offers a phone only if a phone can reach the server")
  func buttonNeedsReach() throws {
    var page = try #require(
      ScreenPage(Samples.window([Samples.logIn]), of: "pets_1", links: Samples.links, token: Samples.token))
    #expect(!page.html.markup.contains("Continue on your phone"))
    page.isReachable = true
    #expect(page.html.markup.contains("Continue on your phone"))
  }

  @Test("The page follows its flow, and knows its code and how long that works")
  func pageFollowsItsFlow() {
    var page = page
    let links = Samples.links
    for part in ["data-aside", "data-events=\"\(links.events(of: "pets_1"))\"", "data-tree=\"\(links.tree("pets_1"))\""] {
      #expect(page.html.markup.contains(part))
    }
    #expect(!page.html.markup.contains("data-lifetime"))
    (page.entry, page.code) = (EntryAddress(Origin(scheme: "https", host: "192.0.2.7"), EntryCode(), .start), 7)
    for part in ["data-code=\"7\"", "data-lifetime=\"600000\""] { #expect(page.html.markup.contains(part)) }
  }

  @Test("The page asks whether the user is still there, as every page of a kiosk does")
  func pageAsksWhetherSomebodyIsThere() {
    var page = page
    page.idle = IdleMarkup(links: Samples.links, tree: "pets_1", token: Samples.token, left: nil)
    #expect(page.html.markup.contains("id=\"idle\""))
  }
}
