import CoordinatorKit
import Platform

/// A user's choice on a list on which several items may be chosen.
public struct SeveralChoice: Sendable, Hashable {
  /// The number of items that the user chooses.
  public let count: ClosedRange<Int>
  /// The ids of the chosen items.
  private var chosen: Set<TextBytes>

  /// Creates the choice that a screen suggests; nil if the screen is not a list on which several items are chosen.
  ///
  /// - Parameter screen: screen that is shown.
  public init?(_ screen: Screen) {
    guard let items = screen.items, let count = screen.choosing?.count else { return nil }
    self.count = count
    chosen = Set(screen.itemsChosenAtFirst.map(\.bytes))
    update(to: items)
  }

  /// Returns whether an item is chosen.
  public func contains(_ id: String) -> Bool { chosen.contains(id.bytes) }

  /// The number of chosen items.
  public var chosenCount: Int { chosen.count }

  /// Chooses an item, or removes it from the choice. A disabled item cannot be chosen.
  public mutating func toggle(_ item: Item) {
    if chosen.remove(item.id.bytes) == nil, item.disabled == nil { chosen.insert(item.id.bytes) }
  }

  /// Chooses some items and no others. Disabled items cannot be chosen.
  public mutating func replace(with items: [Item]) {
    chosen = Set(items.lazy.filter { $0.disabled == nil }.map(\.id.bytes))
  }

  /// Removes items that can no longer be chosen after the list has changed.
  public mutating func update(to items: [Item]) {
    guard !chosen.isEmpty else { return }
    chosen.formIntersection(items.lazy.filter { $0.disabled == nil }.map(\.id.bytes))
  }

  /// Returns the payload of the event `select`, in the order of the list; nil if too few or too many items are chosen.
  public func payload(of items: [Item]) -> [String: JSONValue]? {
    guard count.contains(chosen.count) else { return nil }
    return ["ids": .array(items.lazy.filter { chosen.contains($0.id.bytes) }.map { .string($0.id) })]
  }

  /// The request to the user: "Choose 1 to 3".
  public var request: String {
    switch (count.lowerBound, count.upperBound) {
    case let (least, most) where least == most: Text("Choose {count}", ["count": most]).string
    case (0, .max): Text("Choose any number").string
    case (0, let most): Text("Choose up to {count}", ["count": most]).string
    case (let least, .max): Text("Choose at least {count}", ["count": least]).string
    case let (least, most): Text("Choose {least} to {most}", ["least": least, "most": most]).string
    }
  }

  /// The request to the user, and its progress: "Choose 1 to 3: 2 chosen".
  public var status: String {
    Text(one: "{request}: {count} chosen", other: "{request}: {count} chosen", count: chosen.count, ["request": request]).string
  }

  /// The reason why the choice cannot be sent; nil if it can.
  public var reason: String? {
    guard !count.contains(chosen.count) else { return nil }
    return Text(
      one: "{request}: {count} chosen.", other: "{request}: {count} chosen.", count: chosen.count, ["request": request]
    ).string
  }
}

/// The readable texts of a screen's parts, for renderers that draw plain text.
extension Screen {
  /// The place in the sequence of steps, the body, the answers under review, and the description of the picture, as text.
  public var readableBody: String {
    guard step != nil || !review.isEmpty || picture != nil else { return body }
    var parts = [step?.readable, body.isEmpty ? nil : body].compactMap(\.self)
    if !review.isEmpty {
      parts.append(review.map { Text("{label}: {text}", ["label": $0.title, "text": $0.value]).string }.joined(separator: "\n"))
    }
    if let picture { parts.append(picture.readable) }
    return parts.joined(separator: "\n\n")
  }
}

extension Step {
  /// The place in words.
  public var readable: String {
    // TRANSLATORS: The place of a screen in a sequence.
    count.map { Text("Step {number} of {count}", ["number": number, "count": $0]).string }
      ?? Text("Step {number}", ["number": number]).string
  }
}

extension Picture {
  /// The description of an image, or the text of a QR code.
  public var readable: String {
    switch self {
    case .image(_, let description): "[\(description)]"
    case .code(let text): text
    }
  }
}

extension Action {
  /// The title, followed by the reason why the action cannot be chosen now, or by its explanation.
  public var readableTitle: String {
    if let disabled { return "\(title) (\(disabled))" }
    return summary.map { Text("{label}: {text}", ["label": title, "text": $0]).string } ?? title
  }

  /// The reason why the action cannot be chosen now, or its explanation; nil for neither.
  public var note: String? { disabled ?? summary }
}

extension Item {
  /// The second line, with the reason why the row cannot be chosen now.
  public var readableSubtitle: String? {
    guard let disabled else { return subtitle }
    return subtitle.map { "\($0) (\(disabled))" } ?? "(\(disabled))"
  }
}

/// The choices that a renderer shows when a screen appears. The user still makes the choice.
///
/// A suggestion takes precedence over the default, and this over the flow's initial choice. Ids that the screen does not offer
/// are ignored.
extension Screen {
  /// The ids of the items that are initially chosen on a list. Some of them may not exist, or cannot be chosen now.
  public var itemsChosenAtFirst: [String] {
    let isForOne = choosing?.count == nil
    let initial = (isForOne ? defaultChoice.map { [$0] } : nil) ?? choosing?.initial ?? []
    guard let suggested, let items else { return initial }
    guard !suggested.isEmpty else { return [] }
    let wanted = Set(suggested.map(\.bytes))
    let known = items.lazy.filter { wanted.contains($0.id.bytes) }.map(\.id)
    return known.isEmpty ? initial : Array(known)
  }

  /// The item that is initially chosen on a list for one item; nil if there is none, or if it cannot be chosen now.
  public var preselectedItem: Item? {
    guard let items, choosing?.count == nil else { return nil }
    let wanted = (suggested ?? []) + [defaultChoice].compactMap(\.self) + (choosing?.initial.prefix(1) ?? [])
    guard !wanted.isEmpty else { return nil }
    return wanted.lazy.compactMap { id in items.first { $0.id.bytes.equals(id) && $0.disabled == nil } }.first
  }

  /// The action that the screen suggests, or else its default; nil if there is none, if it cannot be chosen now, or if an item
  /// has its id.
  ///
  /// Never a destructive one, which an accidental key press must not trigger.
  public var suggestedAction: Action? {
    guard progress == nil, kind == .menu || kind == .message || kind == .list else { return nil }
    return harmlessAction(suggested ?? []) ?? harmlessAction([defaultChoice].compactMap(\.self))
  }

  private func harmlessAction(_ ids: [String]) -> Action? {
    guard !ids.isEmpty else { return nil }
    let wanted = Set(ids.map(\.bytes))
    guard items?.contains(where: { wanted.contains($0.id.bytes) }) != true else { return nil }
    return actions.first { wanted.contains($0.id.bytes) && $0.disabled == nil && $0.role != .destructive }
  }

  /// The id of the default, if the screen offers it and allows it to be chosen now.
  public var offeredDefault: String? {
    guard let defaultChoice else { return nil }
    let isItem = items?.contains { $0.id.bytes.equals(defaultChoice) && $0.disabled == nil } == true
    return isItem || harmlessAction([defaultChoice]) != nil ? defaultChoice : nil
  }

  /// The ids of items or of an action that the screen suggests, offers, and allows to be chosen now.
  public var offeredSuggestions: [String] {
    guard let suggested, !suggested.isEmpty else { return [] }
    let items = (items ?? []).filter { $0.disabled == nil }.map(\.id.bytes)
    let offered = Set(items + actions.filter { $0.disabled == nil }.map(\.id.bytes))
    return suggested.filter { offered.contains($0.bytes) }
  }
}

extension Screen {
  /// The action that sends the form.
  package var submission: Action? { actions.first { $0.role == .primary } }

  /// Whether the screen is a form that can currently be sent.
  package var isFillable: Bool { form?.fields.isEmpty == false && submission.map { $0.disabled == nil } == true }
}
