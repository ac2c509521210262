import CoordinatorKit

/// Choices of which one, or several, can be picked.
struct ChoicePicker: Sendable, Hashable {
  let choices: [Schema.Choice]
  /// Whether several choices may be picked.
  let isMultiple: Bool
  /// The index of the choice that receives the keys.
  private(set) var cursor = 0
  private(set) var picked: Set<Int> = []

  init(_ choices: [Schema.Choice], isMultiple: Bool, values: [JSONValue]) {
    self.choices = choices
    self.isMultiple = isMultiple
    picked = Set(choices.indices.filter { values.contains(choices[$0].value) })
    cursor = picked.min() ?? 0
  }

  /// The values of the picked choices, in the order of the choices.
  var values: [JSONValue] { picked.sorted().map { choices[$0].value } }

  /// Moves the cursor.
  ///
  /// - Returns: whether there is a choice in that direction.
  mutating func move(by step: Int) -> Bool {
    guard choices.indices.contains(cursor + step) else { return false }
    cursor += step
    return true
  }

  /// Moves the cursor into the picker: to the last choice when coming from below, otherwise to the first picked one.
  mutating func enter(fromBelow: Bool) { cursor = fromBelow ? max(choices.count - 1, 0) : picked.min() ?? 0 }

  /// Picks a choice. If several may be picked, picking a choice again removes it.
  mutating func pick(_ index: Int) {
    guard choices.indices.contains(index) else { return }
    cursor = index
    if !isMultiple {
      picked = [index]
    } else if picked.remove(index) == nil {
      picked.insert(index)
    }
  }

  /// Removes all picks.
  mutating func clear() { picked = [] }
}
