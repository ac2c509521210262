import CoordinatorKit
import RendererKit

/// The answers under review, each with a button to change it.
struct ReviewMarkup: Sendable {
  let screen: Screen
  /// The path that receives the answer.
  let target: String
  /// The hidden controls of the form.
  let hidden: HTML
  let isAway: Bool

  /// The markup; empty if no answers are under review. A separate form, so that Enter in a field presses none of its buttons.
  @HTMLBuilder var html: HTML {
    if !screen.review.isEmpty {
      if rows.contains(where: \.isChangeable) {
        tag("form", .id("review"), Attribute("method", "post"), Attribute("action", target)) {
          hidden
          list
        }
      } else {
        list
      }
    }
  }

  private var rows: [(row: ReviewRow, isChangeable: Bool)] {
    // While work uses the answers, they cannot be changed.
    screen.review.map { ($0, $0.screen != nil && screen.progress == nil) }
  }

  private var list: HTML {
    let basis = AnswerBasis(of: screen)
    return tag("dl", .class("result review")) {
      for (row, isChangeable) in rows {
        tag("div") {
          tag("dt", .ofFlow) { row.title }
          tag("dd", .class("answer"), .ofFlow) {
            if let date = row.date { DateMarkup(date: date).html } else { row.value }
          }
          if isChangeable, let screen = row.screen {
            tag("dd", .class("change")) {
              tag(
                "button", Attribute("name", SentChoice.name(of: row, on: basis)), Attribute("value", String(screen.number)),
                .flag("disabled", isAway)
              ) {
                tag("span", .english) { ReviewRow.changeTitle }
                tag("span", .class("aside"), .ofFlow) { " " + row.title }
              }
            }
          }
        }
      }
    }
  }
}
