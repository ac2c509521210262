import CoordinatorBus
import CoordinatorKit

/// What was chosen on a page: a row or a button, and what that choice rested on.
struct SentChoice: Sendable, Hashable {
  /// What was pressed.
  enum Button: Sendable, Hashable {
    case item(String)
    case event(String)
  }

  private static let item = "item"
  private static let event = "event"

  let button: Button
  /// The digits of ``AnswerBasis``; empty if none were sent.
  private let basis: String

  /// Reads what a form sent.
  init(_ body: FormBody) {
    func find(_ name: String) -> (value: String, basis: String)? {
      guard let pair = body.pairs.first(where: { $0.name == name || $0.name.hasPrefix(name + ".") }) else { return nil }
      return (pair.value, String(pair.name.dropFirst(name.utf8.count + 1)))
    }
    if let item = find(Self.item) {
      (button, basis) = (.item(item.value), item.basis)
    } else {
      let event = find(Self.event)
      (button, basis) = (.event(event?.value ?? ""), event?.basis ?? "")
    }
  }

  /// What the button of a row is called.
  static func name(of item: Item, on basis: AnswerBasis) -> String { "\(Self.item).\(basis.digits(for: item))" }

  /// What the button of an action is called.
  static func name(of action: Action, on basis: AnswerBasis) -> String { "\(event).\(basis.digits(for: action))" }

  /// Whether the choice means on a screen what it meant on the page.
  func holds(on screen: Screen) -> Bool {
    guard !basis.isEmpty else { return false }
    let current = AnswerBasis(of: screen)
    switch button {
    case .item(let id): return screen.items?.first { $0.id == id }.map { current.digits(for: $0) == basis } ?? false
    case .event(let id): return screen.actions.first { $0.id == id }.map { current.digits(for: $0) == basis } ?? false
    }
  }

  /// The name of the event, and what goes with it.
  func event(of screen: Screen, _ answer: FormAnswer) -> (name: String, payload: [String: JSONValue]) {
    switch button {
    case .item(let id): return (Event.select, ["id": .string(id)])
    case .event(let id):
      let isSubmission = screen.actions.contains { $0.id == id && $0.role == .primary }
      return (id, isSubmission ? answer.payload : [:])
    }
  }
}
