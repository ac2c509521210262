import CoordinatorBus
import CoordinatorKit

/// The choice made on a page, a row or a button, together with the fingerprint of what it is based on.
struct SentChoice: Sendable, Hashable {
  /// The control that was pressed.
  enum Button: Sendable, Hashable {
    case item(String)
    case event(String)
  }

  private static let item = "item"
  private static let event = "event"

  let button: Button
  /// The fingerprint from ``AnswerBasis``; empty if none was sent.
  private let basis: String

  /// Reads the choice from a submitted form.
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

  /// Returns the name of a row's button.
  static func name(of item: Item, on basis: AnswerBasis) -> String { "\(Self.item).\(basis.digits(for: item))" }

  /// Returns the name of an action's button.
  static func name(of action: Action, on basis: AnswerBasis) -> String { "\(event).\(basis.digits(for: action))" }

  /// Whether the choice still means on the screen what it meant on the page.
  func holds(on screen: Screen) -> Bool {
    guard !basis.isEmpty else { return false }
    let current = AnswerBasis(of: screen)
    switch button {
    case .item(let id): return screen.items?.first { $0.id == id }.map { current.digits(for: $0) == basis } ?? false
    case .event(let id): return screen.actions.first { $0.id == id }.map { current.digits(for: $0) == basis } ?? false
    }
  }

  /// Returns the event's name and its payload.
  func event(of screen: Screen, _ answer: FormAnswer) -> (name: String, payload: [String: JSONValue]) {
    switch button {
    case .item(let id): return (Event.select, ["id": .string(id)])
    case .event(let id):
      let isSubmission = screen.actions.contains { $0.id == id && $0.role == .primary }
      return (id, isSubmission ? answer.payload : [:])
    }
  }
}
