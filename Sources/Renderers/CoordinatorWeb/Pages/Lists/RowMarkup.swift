import CoordinatorKit
import Platform
import RendererKit

/// A row of a list: a button, or a box to check.
struct RowMarkup: Sendable {
  let item: Item
  /// The parts of its texts to mark; nil for none.
  let marks: RowMarks?
  let basis: AnswerBasis
  let isForSeveral: Bool
  /// Whether the row is initially chosen.
  let isChosen: Bool
  /// Whether the page begins at the row.
  let takesFocus: Bool
  let isAway: Bool
  /// The key that chooses the row with the script; nil for none.
  var key: Int?

  /// Stable, so that the script recognizes the row when other rows appear and disappear.
  private var id: String { "item-" + PercentEncoding.encode(item.id) }
  private var reasonID: String? { item.disabled == nil ? nil : id + "-reason" }

  /// The markup.
  var html: HTML {
    tag("li", .id(id)) {
      if isForSeveral { box } else { button }
    }
  }

  @HTMLBuilder private var texts: HTML {
    tag("span", .class("choice-title"), .ofFlow) { MarkedText(text: item.title, ranges: marks?.title ?? []).html }
    if let subtitle = item.subtitle {
      tag("span", .class("choice-subtitle"), .ofFlow) { MarkedText(text: subtitle, ranges: marks?.subtitle ?? []).html }
    }
    if let reason = item.disabled {
      tag("span", .id(reasonID), .class("choice-subtitle reason"), .ofFlow) {
        Text("Not available: {reason}", ["reason": reason])
      }
    }
    if isChosen, !isForSeveral { tag("span", .class("mark"), .english) { Text("Preselected") } }
  }

  /// The button. If it is disabled, it can still take the focus, so that a screen reader finds it and reads the reason.
  @HTMLBuilder private var button: HTML {
    if item.disabled == nil {
      tag(
        "button", Attribute("name", SentChoice.name(of: item, on: basis)), Attribute("value", item.id),
        .key(key), .class(isChosen ? "choice-button chosen" : "choice-button"), .flag("disabled", isAway),
        .flag("autofocus", takesFocus)
      ) { texts }
    } else {
      tag(
        "button", Attribute("type", "button"), Attribute("aria-disabled", "true"), Attribute("aria-describedby", reasonID),
        .key(key), .class("choice-button")
      ) { texts }
    }
  }

  private var box: HTML {
    tag("label", .class("choice")) {
      void(
        "input", Attribute("type", "checkbox"), Attribute("name", SentChoice.boxName(of: item, on: basis)),
        .key(key), Attribute("value", item.id), .flag("checked", isChosen && item.disabled == nil),
        .flag("disabled", isAway || item.disabled != nil), Attribute("aria-describedby", reasonID),
        .flag("autofocus", takesFocus))
      tag("span", .class("choice-texts")) { texts }
    }
  }
}
