import CoordinatorBus
import CoordinatorClient
import Languages

/// The path of screens that led to the top one.
struct TrailMarkup: Sendable {
  let links: Links
  let tree: String
  let window: MirroredWindow

  /// The maximum number of steps shown; those in the middle are omitted.
  private static let longest = 5

  /// The markup; empty if there is only one screen.
  @HTMLBuilder var html: HTML {
    if window.screens.count > 1 {
      tag("nav", .id("trail"), .class("trail"), Attribute("aria-label", Text("Steps so far").string)) {
        tag("ol") {
          for step in steps { tag("li", step.attributes) { step.content } }
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
