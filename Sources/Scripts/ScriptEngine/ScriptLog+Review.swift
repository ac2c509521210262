import CoordinatorKit
import Forms

/// A question can show the answers to the questions before it, and let the user change each of them.
extension ScriptLog {
  /// Records what an answer has chosen, for a review.
  ///
  /// - Parameters:
  ///   - index: the index of the entry.
  ///   - question: its question; nil if the run has not asked it again.
  package mutating func describeAnswer(at index: Int, to question: Question?) {
    guard let question, let answer = entries[safe: index]?.ask?.answer else { return }
    let text = question.text(of: answer)
    entries[index].changeAsk { $0.text = text }
  }

  /// Returns the answers since the last step: one that came before a step cannot be changed.
  func review(before key: String, _ screens: RunScreens) -> [ReviewRow] {
    guard let end = entries.lastIndex(where: { $0.key == key }) else { return [] }
    var rows: [ReviewRow] = []
    var names: [String] = []
    for entry in entries[changeable(before: end)..<end] {
      guard let ask = entry.ask, ask.answer != nil, entry.name != entries[end].name else { continue }
      // A question that a loop has asked again has its latest answer.
      if let earlier = names.firstIndex(of: entry.name) {
        rows.remove(at: earlier)
        names.remove(at: earlier)
      }
      names.append(entry.name)
      // The daemon fills in the rest; an older one shows the rows as they are.
      let title = ask.text == nil ? nil : screens.questions[entry.key]?.screen?.title
      rows.append(ReviewRow(key: entry.key, title: title ?? "", value: ask.text ?? ""))
    }
    return rows
  }

  /// Takes the last question back, with what has led to it, if the user changes an earlier answer: the daemon shows the screen of
  /// that answer, and does not ask the script.
  ///
  /// - Parameter shown: the keys of the screens that the user has acted on, bottom first.
  /// - Returns: whether an answer is being changed. Then its question is open again, and no run waits for it.
  package mutating func followChange(to shown: [String]) -> Bool {
    guard undoing == nil, let last = lastAsk, entries[last].isOpen, !shown.contains(entries[last].key), let top = shown.last,
      let index = entries[changeable(before: last)..<last].lastIndex(where: { $0.key == top && $0.ask?.answer != nil })
    else { return false }
    let entry = entries[index]
    cut(to: index)
    entries.append(entry)
    entries[index].changeAsk { ($0.answer, $0.text) = (nil, nil) }
    return true
  }

  /// Returns the index of the first entry whose answer can be changed at a later one.
  private func changeable(before end: Int) -> Int {
    entries[..<end].lastIndex { $0.isEffect || $0.isBarrier }.map { $0 + 1 } ?? 0
  }
}
