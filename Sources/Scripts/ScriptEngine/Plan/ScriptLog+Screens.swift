import Forms

/// The screens of a script, as far as they follow from its log.
extension ScriptLog {
  /// The key of the screen that says that the script works, if it has not asked anything yet.
  static let workingKey = "#working"

  /// The keys of the screens that are to be shown, bottom first.
  ///
  /// - Parameter shown: those that are shown now. Below the screen of a question that is new, no others can be put: they
  ///   are gone, and only the script can describe them.
  /// - Returns: the keys; nil if what is shown stays.
  func screens(over shown: [String]) -> [String]? {
    guard let last = lastAsk else { return entries.contains(where: \.isOpen) && shown.isEmpty ? [Self.workingKey] : nil }
    // What was asked before something was done stays until the next question, and goes then.
    let isAsking = entries[last].isOpen
    guard isAsking || !entries[last...].contains(where: \.isEffect) || shown.isEmpty else {
      return busy(over: shown.filter { $0 != Self.workingKey })
    }
    let start = entries[..<last].lastIndex(where: \.isBarrier).map { $0 + 1 } ?? 0
    var keys: [String] = []
    for entry in entries[start...last] {
      guard let ask = entry.ask else { continue }
      if ask.corrects, !keys.isEmpty { keys.removeLast() }
      keys.append(entry.key)
    }
    guard let top = keys.popLast() else { return nil }
    keys = keys.filter(shown.contains) + [top]
    return isAsking ? keys : busy(over: keys)
  }

  /// Adds a screen that says that the script works if Back would otherwise end the flow, because there is only one.
  private func busy(over keys: [String]) -> [String] {
    let isWorking = running != nil || entries.contains { $0.isOpen && $0.step != nil }
    return keys.count == 1 && isWorking && undoing == nil && allowsBack ? keys + [Self.workingKey] : keys
  }

  /// What the topmost screen says is under way; nil if the script waits for the user.
  var busyText: String? {
    guard !(lastAsk.map { entries[$0].isOpen } ?? false) || undoing != nil else { return nil }
    if undoing != nil { return "" }
    return entries.last { $0.isOpen && $0.step != nil }?.step?.busy
      ?? (entries.contains(where: \.isOpen) || running != nil ? "" : nil)
  }
}
