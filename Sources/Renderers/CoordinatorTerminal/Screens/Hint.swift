import Languages
import RendererKit

/// A short description of a key.
struct Hint: Sendable, Hashable {
  var key: String
  var meaning: String
  /// The priority of the hint: the lower the rank, the less room it needs to be shown.
  var rank: Int

  init(_ key: String, _ meaning: Text, rank: Int = 5) {
    self.key = key
    self.meaning = meaning.string
    self.rank = rank
  }

  var columns: Int { key.columns + 1 + meaning.columns }
}

extension ScreenView {
  /// Whether letters are text input at the current stop.
  var isTyping: Bool {
    switch stop {
    case .list: true
    case .field(let index): fields[safe: index]?.takesText == true
    case .action: screen.kind == .list && stops.contains(.list)
    case .review, nil: false
    }
  }

  /// Whether letters are text anywhere on the screen. If so, no letter has another meaning, because it would depend on the
  /// focus.
  var takesLetters: Bool { screen.isFillable || stops.contains(.list) }

  /// Whether Esc clears the filter of the list, or of the choices of a field.
  var isFiltered: Bool {
    if case .field(let index) = stop, case .choice(let picker)? = fields[safe: index]?.content { return !picker.filter.isEmpty }
    return stop == .list && list?.filter.isEmpty == false
  }

  /// Returns the hint for the arrow keys in a long text, with the part of the text that has been seen.
  private func scrollHint(_ symbols: Symbols) -> Hint {
    let percent = Percentage.text(of: Double(scroll.percent) / 100)
    // TRANSLATORS: What the arrow keys do, and how much of the text has been seen, such as "scroll 35%".
    return Hint(symbols.keys.upDown, Text("scroll {percent}", ["percent": percent], context: "key"))
  }

  /// Returns the hints for the most important keys at the current stop.
  func hints(_ symbols: Symbols) -> [Hint] {
    let keys = symbols.keys
    switch stop {
    case .list where several != nil:
      return [
        Hint("Enter", Text("send", context: "key")),
        Hint(Text("Space", context: "key").string, Text("pick", context: "key"), rank: 2),
        Hint(keys.upDown, Text("move", context: "key")),
      ]
        + (screen.actions.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
    case .review:
      return [
        Hint("Enter", Text("change", context: "key")), Hint(keys.upDown, Text("move", context: "key")),
        Hint("Tab", Text("next", context: "key")),
      ]
    case .list:
      return [Hint("Enter", Text("choose", context: "key")), Hint(keys.upDown, Text("move", context: "key"))]
        + (screen.actions.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
    case .field(let index):
      let isLast = isLast(index)
      let send = Hint("Enter", isLast ? Text("send", context: "key") : Text("next", context: "key"))
      return switch fields[safe: index]?.content {
      case .flag:
        [
          send, Hint(Text("Space", context: "key").string, Text("yes/no", context: "key"), rank: 2),
          Hint("Tab", Text("next", context: "key")),
        ]
      case .choice(let picker) where picker.isMultiple:
        [
          send, Hint(Text("Space", context: "key").string, Text("pick", context: "key"), rank: 2),
          Hint(keys.upDown, Text("move", context: "key")),
        ]
      case .choice: [send, Hint(keys.upDown, Text("move", context: "key"))]
      case .text(let editor) where editor.hasLines:
        [send, Hint("^O", Text("new line", context: "key"), rank: 2)]
          + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      case .text(let editor) where editor.isSecret && fields[index].field.schema.isRevealable:
        [send, Hint("^R", editor.isRevealed ? Text("hide", context: "key") : Text("show", context: "key"), rank: 2)]
          + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      default: [send] + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      }
    case .action:
      if screen.kind == .menu {
        return [Hint("Enter", Text("choose", context: "key"))]
          + (screen.actions.count > 1 ? [Hint(keys.upDown, Text("move", context: "key"))] : [])
      }
      let move = stops.count > 1 ? [Hint("Tab", Text("next", context: "key"))] : []
      return [Hint("Enter", Text("choose", context: "key"))] + move
        + (scroll.isNeeded ? [scrollHint(symbols)] : [])
    case nil:
      return (stops.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
        + (scroll.isNeeded ? [scrollHint(symbols)] : [])
    }
  }
}
