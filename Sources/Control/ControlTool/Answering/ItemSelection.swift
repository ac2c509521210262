import CoordinatorAnswers
import CoordinatorKit
import Platform

/// The payload of `select` for an answer to a list. A value without I/O.
struct ItemSelection: Sendable, Hashable {
  let payload: [String: JSONValue]

  /// Interprets the value of `select`: the id of an item, or a list of ids.
  ///
  /// - Parameters:
  ///   - value: value in the answers file.
  ///   - screen: screen with the list.
  /// - Throws: ``AnswerProblem`` if the items cannot be chosen.
  init(_ value: AnswerValue, on screen: Screen) throws(AnswerProblem) {
    let count = screen.choosing?.count
    let ids: [String]
    switch value {
    case .text(let id): ids = [id]
    case .list(let several):
      guard count != nil || several.count == 1 else { throw Self.wrong("must be the id of one item") }
      ids = several
    case .nothing, .reference:
      throw Self.wrong(count == nil ? "must be the id of an item" : "must be a list of the ids of items")
    }
    try Self.check(ids, among: screen.items ?? [])
    guard let count else {
      payload = ["id": .string(ids[0])]
      return
    }
    guard count.contains(ids.count) else { throw Self.wrong("choose \(Self.text(of: count)) items, not \(ids.count)") }
    payload = ["ids": .array(ids.map(JSONValue.string))]
  }

  /// Returns the selection of the items that are initially chosen; nil if there are none, or they cannot be chosen.
  static func initial(on screen: Screen) -> ItemSelection? {
    guard let choosing = screen.choosing, !choosing.initial.isEmpty else { return nil }
    let ids = choosing.count == nil ? Array(choosing.initial.prefix(1)) : choosing.initial
    return try? ItemSelection(.list(ids), on: screen)
  }

  /// Returns the number of items that can be chosen, in words: `1 to 3`.
  static func text(of count: ClosedRange<Int>) -> String {
    count.lowerBound == count.upperBound ? "exactly \(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }

  private static func check(_ ids: [String], among items: [Item]) throws(AnswerProblem) {
    let byID = Dictionary(items.map { ($0.id.bytes, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<TextBytes> = []
    for id in ids {
      guard seen.insert(id.bytes).inserted else { throw wrong("contains '\(id)' twice") }
      guard let item = byID[id.bytes] else {
        // Without this hint, the player would wait for an item that cannot exist.
        if let named = items.first(where: { $0.title.bytes.equals(id) }) {
          throw wrong("'\(id)' is the title of an item; write its id, '\(named.id)'")
        }
        throw .absent(item: id)
      }
      if let reason = item.disabled { throw wrong("'\(id)' cannot be chosen now: \(reason)") }
    }
  }

  private static func wrong(_ reason: String) -> AnswerProblem { .wrong(field: "select", reason) }
}
