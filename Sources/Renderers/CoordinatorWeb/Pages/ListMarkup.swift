import CoordinatorKit
import RendererKit

/// The rows of a list: buttons, or boxes to check if several are chosen.
struct ListMarkup: Sendable {
  /// The id of the element that contains all rows.
  static let id = "items"
  /// The keys of the payload that chooses rows, for which the daemon gives reasons.
  static let keys = ["id", "ids"]

  let screen: Screen
  /// The ids of the rows that were checked; nil if the screen decides.
  let checked: [String]?
  /// The error of the choice; nil if there is none.
  let error: String?
  let isAway: Bool

  /// Returns a reason of the daemon as a sentence.
  static func sentence(_ reason: String) -> String {
    FormReasons.sentence(reason, about: Text("Your choice").string)
  }

  private var isForSeveral: Bool { screen.choosing?.count != nil }

  /// Rows with the same heading that follow each other.
  private struct Group {
    let title: String?
    var items: [Item]
  }

  private var groups: [Group] {
    (screen.items ?? []).reduce(into: []) { groups, item in
      if let last = groups.last, last.title == item.group {
        groups[groups.count - 1].items.append(item)
      } else {
        groups.append(Group(title: item.group, items: [item]))
      }
    }
  }

  /// Returns the markup; empty if the screen is not a list.
  ///
  /// - Parameter basis: fingerprints of the screen.
  /// - Returns: the markup.
  @HTMLBuilder func html(_ basis: AnswerBasis) -> HTML {
    if let items = screen.items {
      if items.isEmpty {
        tag("p", .class("nothing")) { Text("There is nothing to choose from.") }
      } else {
        tag("div", .id("filter"), .class("filter"), .flag("hidden"), Attribute("data-count", String(items.count))) {
          tag("label", Attribute("for", "filter-text")) { Text("Find") }
          void("input", .id("filter-text"), Attribute("type", "search"), Attribute("autocomplete", "off"))
        }
        all(basis)
      }
      if let choosing = screen.choosing, isForSeveral {
        tag("div", .id("choose"), .class("actions")) {
          tag(
            "button", Attribute("name", SentChoice.name(of: choosing, on: basis)), Attribute("value", "choose"),
            .class("primary"), .flag("disabled", isAway)
          ) { Text("Continue") }
        }
      }
    }
  }

  private func all(_ basis: AnswerBasis) -> HTML {
    let notes = [isForSeveral ? "choosing" : nil, error == nil ? nil : "items-error"].compactMap(\.self)
    let initial = Set(checked ?? screen.itemsChosenAtFirst)
    let first =
      screen.suggestedAction == nil ? screen.items?.first { initial.contains($0.id) && $0.disabled == nil }?.id : nil
    return tag(
      "div", .id(Self.id), .class(error == nil ? "items" : "items wrong"), Attribute("role", "group"),
      Attribute("aria-labelledby", "title"), Attribute("tabindex", "-1"),
      Attribute("aria-describedby", notes.isEmpty ? nil : notes.joined(separator: " "))
    ) {
      if let words { tag("p", .id("choosing"), .class("hint")) { words } }
      if let error {
        tag("p", .id("items-error"), .class("error")) {
          tag("span", .class("aside")) { Text("Error: ") }
          tag("span", Attribute("dir", "auto")) { error }
        }
      }
      for (number, group) in groups.enumerated() {
        let title = "group-\(number)"
        if let name = group.title { tag("h2", .id(title), .class("group"), .ofFlow) { name } }
        tag(
          "ul", .class(isForSeveral ? "boxes" : "choices"),
          Attribute("aria-labelledby", group.title == nil ? nil : title)
        ) {
          for item in group.items {
            RowMarkup(
              item: item, basis: basis, isForSeveral: isForSeveral, isChosen: initial.contains(item.id),
              takesFocus: item.id == first, isAway: isAway
            ).html
          }
        }
      }
    }
  }

  /// How many rows to choose; nil if exactly one is chosen by pressing it.
  private var words: Text? {
    guard let count = screen.choosing?.count, let available = screen.items?.count else { return nil }
    switch (count.lowerBound, count.upperBound) {
    case let (least, most) where least == most: return Text("Choose exactly {count}.", ["count": least])
    case (0, let most):
      return most >= available ? "Choose any number, or none." : Text("Choose up to {count}, or none.", ["count": most])
    case let (least, most):
      return most >= available
        ? Text("Choose at least {count}.", ["count": least])
        : Text("Choose {least} to {most}.", ["least": least, "most": most])
    }
  }
}
