import CoordinatorKit
import Languages
import Platform
import RendererKit

/// A list: its search, and the rows of one page, as buttons, or as boxes if several are chosen.
struct ListMarkup: Sendable {
  /// The id of the element that contains all rows.
  static let id = "items"
  /// The keys of the payload that chooses rows, for which the daemon gives reasons.
  static let keys = ["id", "ids"]

  let screen: Screen
  /// The path of the page.
  let path: String
  /// The rows that were checked; nil if the screen decides.
  let checked: CheckedRows?
  /// The error of the choice; nil if there is none.
  let error: String?
  let isAway: Bool
  private let part: ListPart
  /// The ids of the rows that are currently chosen.
  private let chosen: Set<TextBytes>

  /// Creates the markup; nil if the screen is not a list.
  ///
  /// - Parameters:
  ///   - screen: screen to show.
  ///   - view: part of the list to show.
  ///   - path: path of the page.
  ///   - checked: rows that were checked; nil if the screen decides.
  ///   - error: error of the choice; nil if there is none.
  ///   - isAway: whether no answer is possible now.
  init?(screen: Screen, view: ListView, path: String, checked: CheckedRows?, error: String?, isAway: Bool) {
    guard let items = screen.items else { return nil }
    (self.screen, self.path, self.checked, self.error, self.isAway) = (screen, path, checked, error, isAway)
    let initial = Set(screen.itemsChosenAtFirst.map(\.bytes))
    chosen = checked.map { Set($0.ids.map(\.bytes)) } ?? initial
    var view = view
    if screen.choosing?.count == nil { view.isOnlyChosen = false }
    part = ListPart(of: items, view, chosen: chosen, beginnings: screen.suggestedAction == nil ? initial : [])
  }

  /// Returns a reason of the daemon as a sentence.
  static func sentence(_ reason: String) -> String {
    FormReasons.sentence(reason, about: Text("Your choice").string)
  }

  private var isForSeveral: Bool { screen.choosing?.count != nil }
  private var search: ListSearch { ListSearch(part: part, path: path, chosen: isForSeveral ? chosen.count : nil) }

  /// The search of a list of which one row is chosen: a separate form, which changes nothing.
  @HTMLBuilder var ownForm: HTML {
    if !isForSeveral { search.form }
  }

  /// Returns the part of the form that answers the screen.
  ///
  /// - Parameter basis: fingerprints of the screen.
  /// - Returns: the markup.
  @HTMLBuilder func html(_ basis: AnswerBasis) -> HTML {
    if part.total == 0 {
      tag("p", .class("nothing")) { Text("There is nothing to choose from.").string }
    } else {
      hidden
      if let words { tag("p", .id("choosing"), .class("hint")) { words } }
      if isForSeveral { search.controls }
      all(basis)
      ListPager(part: part, path: path, isForSeveral: isForSeveral).html
    }
    if let choosing = screen.choosing, isForSeveral {
      tag("div", .id("choose"), .class("actions")) {
        tag(
          "button", Attribute("name", SentChoice.name(of: choosing, on: basis)), Attribute("value", "choose"),
          .class("primary"), .flag("disabled", isAway)
        ) { Text("Continue").string }
      }
    }
  }

  /// The hidden data that the answer returns: the user's position and, if the page contains only a part of the boxes, which
  /// ones.
  @HTMLBuilder private var hidden: HTML {
    if part.isSearchable {
      void(
        "input", .id("view"), Attribute("type", "hidden"), Attribute("name", ListLook.viewName),
        Attribute("value", part.view.query))
    }
    if isForSeveral, part.isPart {
      void(
        "input", .id("offered"), Attribute("type", "hidden"), Attribute("name", SentChoice.offeredName),
        Attribute("value", SentChoice.offering(part.ids)))
    }
  }

  private func all(_ basis: AnswerBasis) -> HTML {
    let notes = [words == nil ? nil : "choosing", error == nil ? nil : "items-error"].compactMap(\.self)
    let focused = checked == nil && part.view.find.isEmpty ? firstChosen : nil
    return tag(
      "div", .id(Self.id), .class(error == nil ? "items" : "items wrong"), Attribute("role", "group"),
      Attribute("aria-labelledby", "title"), Attribute("tabindex", "-1"),
      Attribute("aria-describedby", notes.isEmpty ? nil : notes.joined(separator: " ")),
      Attribute("data-page", String(part.page)), Attribute("data-pages", String(part.pageCount))
    ) {
      if let error {
        tag("p", .id("items-error"), .class("error")) {
          tag("span", .class("aside")) { Text("Error:").string + " " }
          tag("span", Attribute("dir", "auto")) { error }
        }
      }
      for (number, group) in part.groups.enumerated() {
        let title = "group-\(number)"
        if let name = group.title { tag("h2", .id(title), .class("group"), .ofFlow) { name } }
        tag(
          "ul", .class(isForSeveral ? "boxes" : "choices"),
          Attribute("aria-labelledby", group.title == nil ? nil : title)
        ) {
          for row in group.rows {
            RowMarkup(
              item: row.item, marks: row.marks, basis: basis, isForSeveral: isForSeveral,
              isChosen: chosen.contains(row.item.id.bytes),
              takesFocus: row.item.id == focused, isAway: isAway, key: key(of: row.item)
            ).html
          }
        }
      }
    }
  }

  /// Returns the digit that chooses a row of a short list. In a longer list, digits are typed into the search.
  private func key(of item: Item) -> Int? {
    part.isSearchable ? nil : part.ids.firstIndex(of: item.id).map { $0 + 1 }
  }

  /// The id of the row at which the page begins.
  private var firstChosen: String? {
    guard screen.suggestedAction == nil else { return nil }
    return part.groups.lazy.flatMap(\.rows).first { chosen.contains($0.item.id.bytes) && $0.item.disabled == nil }?.item.id
  }

  /// The number of rows to choose, in words; nil if exactly one is chosen by pressing it.
  private var words: String? {
    guard let count = screen.choosing?.count else { return nil }
    let (least, most, available) = (count.lowerBound, count.upperBound, part.total)
    if least == most { return Text("Choose exactly {count}.", ["count": least]).string }
    if least == 0 {
      return most >= available
        ? Text("Choose any number, or none.").string : Text("Choose up to {count}, or none.", ["count": most]).string
    }
    return most >= available
      ? Text("Choose at least {count}.", ["count": least]).string
      : Text("Choose {least} to {most}.", ["least": least, "most": most]).string
  }
}

/// The links to the other pages of a list.
struct ListPager: Sendable {
  let part: ListPart
  /// The path of the page.
  let path: String
  /// Whether the buttons must keep the choice.
  let isForSeveral: Bool

  /// The markup; empty if there is only one page.
  @HTMLBuilder var html: HTML {
    if part.pageCount > 1 {
      tag("nav", .id("pages"), .class("pages"), .english, Attribute("aria-label", Text("Pages of the list").string)) {
        if part.page > 1 { turn(to: part.page - 1, id: "page-before", Text("Previous page")) }
        tag("span", .class("hint")) {
          Text(
            "Page {page} of {count}",
            ["page": DecimalNumber.text(of: part.page), "count": DecimalNumber.text(of: part.pageCount)]
          ).string
        }
        if part.page < part.pageCount { turn(to: part.page + 1, id: "page-after", Text("Next page")) }
      }
    }
  }

  @HTMLBuilder private func turn(to page: Int, id: String, _ title: Text) -> HTML {
    if isForSeveral {
      ListLook.page(page).button(id: id, look: "page-button") { title.string }
    } else {
      tag(
        "a", .id(id), .class("button page-button"), Attribute("href", ListLook.url(of: part.view.turned(to: page), at: path)),
        Attribute("data-turn", String(page))
      ) { title.string }
    }
  }
}

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
