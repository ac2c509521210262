import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Choosing several items of a list.
extension Conversation {
  /// The word that chooses no item.
  static var noItem: String {
    // TRANSLATORS: What users type to choose no row at all.
    Text("none", context: "rows").string
  }

  /// Returns the prompt of a list on which several items are chosen, with what an empty line chooses.
  func prompt(for several: SeveralChoice) -> String {
    var text = Text("{request}, separated by commas", ["request": several.request]).string
    let chosen = choices?.entries.filter { several.contains($0.choice.id) && $0.choice.isItem } ?? []
    if several.reason == nil {
      let numbers = chosen.map { String($0.number) }.joined(separator: ", ")
      let many = Text(one: "{count} item", other: "{count} items", count: chosen.count).string
      text += chosen.isEmpty ? " [\(Self.noItem)]" : chosen.count > 10 ? " [\(many)]" : " [\(numbers)]"
    }
    return text
  }

  /// Handles a line on a list on which several items are chosen; returns nil if it is not a choice of items.
  mutating func answerSeveral(_ line: String, _ suggested: SeveralChoice, on top: PresentedScreen) -> [Effect]? {
    guard let list = choices, let items = top.screen.items else { return nil }
    var several = suggested
    if !line.isEmpty {
      if let choice = list.choice(line), !choice.isItem { return nil }
      switch Self.items(line, in: list) {
      case .success(let chosen): several.replace(with: chosen)
      case .failure(let wrong): return wrong.lines.isEmpty ? nil : [.print(wrong.lines)] + ask()
      }
    }
    if let reason = several.reason { return [.print([reason])] + ask() }
    return several.payload(of: items).map { delegate(Event.select, $0, on: top) }
  }

  /// Why a line chooses no items. Without lines, it is not a choice at all.
  private struct Wrong: Error { var lines: [String] = [] }

  private static func items(_ line: String, in list: ChoiceList) -> Result<[Item], Wrong> {
    // The name of an item may contain a comma.
    if case .item(let item)? = list.choice(line) { return enabled([item]) }
    if [noItem, "none"].contains(line.lowercased()) { return .success([]) }
    var chosen: [Item] = []
    for part in line.bytes.split(separator: ",").map(\.trimmed) where !part.isEmpty {
      guard case .item(let item)? = list.choice(part) else {
        guard line.utf8.contains(UInt8(ascii: ",")) else { return .failure(Wrong()) }
        let line = Text("There is no row '{row}'. {advice}", ["row": part.printable, "advice": list.advice]).string
        return .failure(Wrong(lines: [line]))
      }
      chosen.append(item)
    }
    return enabled(chosen)
  }

  private static func enabled(_ items: [Item]) -> Result<[Item], Wrong> {
    let reasons = items.compactMap { item in
      item.disabled.map { reason in
        Text("{row} cannot be chosen: {reason}", ["row": item.title.printable, "reason": reason.printable]).string
      }
    }
    return reasons.isEmpty ? .success(items) : .failure(Wrong(lines: reasons))
  }
}
