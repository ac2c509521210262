import CoordinatorBus
import CoordinatorClient
import Languages

/// The page of a screen below the top one. Loading it changes nothing; it offers to go back to that screen.
struct EarlierPage: Sendable {
  let links: Links
  let tree: String
  let screen: PresentedScreen
  let top: PresentedScreen
  /// Whether Back can leave all screens above it.
  let isReachable: Bool
  /// The language of the screens.
  let language: LanguageTag
  let token: FormToken

  /// Creates the page of a screen in a window; nil if the screen is the top one, or is not in the window.
  init?(of id: UInt64, in window: MirroredWindow, of tree: String, links: Links, token: FormToken) {
    guard let index = window.screens.firstIndex(where: { $0.id == id }), let top = window.top, top.id != id else { return nil }
    self.links = links
    self.tree = tree
    screen = window.screens[index]
    self.top = top
    isReachable = window.screens[(index + 1)...].allSatisfy(\.back)
    language = window.language
    self.token = token
  }

  /// The page. If its user arrived from the top screen with the browser's Back, the page's script presses the button.
  var html: HTML {
    Shell(links: links, title: Text("An earlier page").string).page(
      Attribute("data-here", links.screen(screen.id, of: tree)), Attribute("data-tree", links.tree(tree)),
      Attribute("data-above", isReachable ? links.screen(top.id, of: tree) : nil)
    ) {
      tag("div", .class("tools"))
      tag("section", .class("card"), Attribute("aria-labelledby", "title")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { Text("You are on an earlier page") }
        tag("p", .class("body")) {
          HTML(
            Text("The flow has moved on from “{earlier}” to “{current}”."),
            [
              "earlier": tag("bdi", .ofFlow(in: language)) { screen.screen.title },
              "current": tag("bdi", .ofFlow(in: language)) { top.screen.title },
            ])
          if !isReachable { " " + Text("There is no way back.").string }
        }
        if isReachable {
          tag(
            "form", .id("return"), Attribute("method", "post"), Attribute("action", links.returning(to: screen.id, of: tree))
          ) {
            token.hidden(("top", String(top.id)))
            tag("div", .class("actions")) {
              tag("button", .class("primary")) { Text("Go back to it") }
              goOn
            }
          }
        } else {
          tag("div", .class("actions")) { goOn }
        }
      }
    }
  }

  private var goOn: HTML {
    tag("a", .class("button"), Attribute("href", links.tree(tree))) { Text("Go to the current page") }
  }
}
