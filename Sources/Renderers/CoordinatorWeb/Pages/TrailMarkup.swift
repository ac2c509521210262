import CoordinatorBus
import CoordinatorClient
import Languages

/// The screens that led to the top one, for going back by more than one of them. The list is closed until the user opens it, so
/// that it does not duplicate the way back to the previous screen.
struct TrailMarkup: Sendable {
  let links: Links
  let tree: String
  let window: MirroredWindow

  /// The minimum number of screens for a list: with fewer, all of them are one step back.
  private static let fewest = 3
  /// The maximum number of steps shown; those in the middle are omitted.
  private static let longest = 8

  /// The markup; empty if there is only one way back.
  @HTMLBuilder var html: HTML {
    if window.screens.count >= Self.fewest {
      let name = Text("Earlier steps").string
      tag("nav", .id("trail"), .class("trail"), Attribute("aria-label", name)) {
        tag("details", .id("earlier")) {
          tag("summary", .class("button"), .english) { name }
          tag("ol") {
            for step in steps { tag("li", step.attributes) { step.content } }
          }
        }
      }
    }
  }

  private var steps: [(attributes: [Attribute], content: HTML)] {
    let screens = window.screens
    guard screens.count > Self.longest, let first = screens.first else { return screens.map(step) }
    let gap: (attributes: [Attribute], content: HTML) = ([Attribute("aria-hidden", "true")], HTML(text: "…"))
    return [step(first), gap] + screens.suffix(Self.longest - 2).map(step)
  }

  private func step(_ screen: PresentedScreen) -> (attributes: [Attribute], content: HTML) {
    guard screen.id != window.top?.id else {
      return ([Attribute("aria-current", "step")], tag("span", .ofFlow) { screen.screen.title })
    }
    let link = tag("a", Attribute("href", links.screen(screen.id, of: tree)), .ofFlow) { screen.screen.title }
    return ([], link)
  }
}
