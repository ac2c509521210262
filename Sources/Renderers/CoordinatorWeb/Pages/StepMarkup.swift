import CoordinatorKit
import RendererKit

/// The place of a screen in a sequence of steps: in words, and drawn if the number of steps is known.
struct StepMarkup: Sendable {
  let step: Step

  /// The maximum number of steps that are drawn: more would be too thin to count.
  private static let most = 12

  /// The markup.
  @HTMLBuilder var html: HTML {
    tag("p", .id("step"), .class("step"), .english) { step.readable }
    if let count = step.count, (2...Self.most).contains(count) {
      tag("p", .id("steps"), .class("steps"), Attribute("aria-hidden", "true")) {
        for number in 1...count {
          tag("span", .class(number < step.number ? "past" : number == step.number ? "present" : nil))
        }
      }
    }
  }
}
