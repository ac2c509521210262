import CoordinatorKit

/// Some choices of which one, or several, are being picked.
struct ChoicePicker: Sendable, Hashable {
  let choices: [Schema.Choice]
  /// Whether more than one may be picked.
  let isMultiple: Bool
  /// The choice that keys are for.
  private(set) var cursor = 0
  private(set) var picked: Set<Int> = []

  init(_ choices: [Schema.Choice], isMultiple: Bool, values: [JSONValue]) {
    self.choices = choices
    self.isMultiple = isMultiple
    picked = Set(choices.indices.filter { values.contains(choices[$0].value) })
    cursor = picked.min() ?? 0
  }

  /// What is picked, in the order of the choices.
  var values: [JSONValue] { picked.sorted().map { choices[$0].value } }

  /// Moves the cursor.
  ///
  /// - Returns: Whether there is a choice in that direction.
  mutating func move(by step: Int) -> Bool {
    guard choices.indices.contains(cursor + step) else { return false }
    cursor += step
    return true
  }

  /// Puts the cursor on the first choice, or the last.
  mutating func enter(fromBelow: Bool) { cursor = fromBelow ? max(choices.count - 1, 0) : picked.min() ?? 0 }

  /// Picks a choice; where several may be picked, one that is picked already is picked no more.
  mutating func pick(_ index: Int) {
    guard choices.indices.contains(index) else { return }
    cursor = index
    if !isMultiple {
      picked = [index]
    } else if picked.remove(index) == nil {
      picked.insert(index)
    }
  }

  /// Picks nothing.
  mutating func clear() { picked = [] }
}
