/// A short description of a key.
struct Hint: Sendable, Hashable {
  var key: String
  var meaning: String
  /// The priority of the hint: the lower the rank, the less room it needs to be shown.
  var rank: Int

  init(_ key: String, _ meaning: String, rank: Int = 5) {
    self.key = key
    self.meaning = meaning
    self.rank = rank
  }

  var columns: Int { key.columns + 1 + meaning.columns }
}

extension ScreenView {
  /// Whether letters are input for a text here.
  var isTyping: Bool {
    switch stop {
    case .list: true
    case .field(let index): if case .text? = fields[safe: index]?.content { true } else { false }
    case .action: screen.kind == .list && stops.contains(.list)
    case .review, nil: false
    }
  }

  /// Whether Esc clears the filter of the list.
  var isFiltered: Bool { stop == .list && list?.filter.isEmpty == false }

  /// Returns the hints for the most important keys at the current stop.
  func hints(_ symbols: Symbols) -> [Hint] {
    let keys = symbols.keys
    switch stop {
    case .list where several != nil:
      return [Hint("Enter", "send"), Hint("Space", "pick", rank: 2), Hint(keys.upDown, "move")]
        + (screen.actions.isEmpty ? [] : [Hint("Tab", "buttons")])
    case .review: return [Hint("Enter", "change"), Hint(keys.upDown, "move"), Hint("Tab", "next")]
    case .list:
      return [Hint("Enter", "choose"), Hint(keys.upDown, "move")] + (screen.actions.isEmpty ? [] : [Hint("Tab", "buttons")])
    case .field(let index):
      let isLast = isLast(index)
      let send = Hint("Enter", isLast ? "send" : "next")
      return switch fields[safe: index]?.content {
      case .flag: [send, Hint("Space", "yes/no", rank: 2), Hint("Tab", "next")]
      case .choice(let picker) where picker.isMultiple: [send, Hint("Space", "pick", rank: 2), Hint(keys.upDown, "move")]
      case .choice: [send, Hint(keys.upDown, "move")]
      case .text(let editor) where editor.hasLines:
        [send, Hint("^O", "new line", rank: 2)] + (isLast ? [Hint("Tab", "buttons")] : [])
      case .text(let editor) where editor.isSecret && fields[index].field.schema.isRevealable:
        [send, Hint("^R", editor.isRevealed ? "hide" : "show", rank: 2)] + (isLast ? [Hint("Tab", "buttons")] : [])
      default: [send] + (isLast ? [Hint("Tab", "buttons")] : [])
      }
    case .action:
      if screen.kind == .menu { return [Hint("Enter", "choose")] + (screen.actions.count > 1 ? [Hint(keys.upDown, "move")] : []) }
      let move = stops.count > 1 ? [Hint("Tab", "next")] : []
      return [Hint("Enter", "choose")] + move + (scroll.isNeeded ? [Hint(keys.upDown, "scroll")] : [])
    case nil: return (stops.isEmpty ? [] : [Hint("Tab", "buttons")]) + (scroll.isNeeded ? [Hint(keys.upDown, "scroll")] : [])
    }
  }
}
