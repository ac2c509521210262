import CoordinatorBus
import CoordinatorClient

/// The screens below the top one, as the way that led there.
struct TrailMarkup: Sendable {
  let links: Links
  let tree: String
  let window: MirroredWindow

  /// So many steps are shown at most; those in the middle are left out.
  private static let longest = 5

  /// The markup; nothing where there is no way.
  @HTMLBuilder var html: HTML {
    if window.screens.count > 1 {
      tag("nav", .id("trail"), .class("trail"), Attribute("aria-label", "Steps so far")) {
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
