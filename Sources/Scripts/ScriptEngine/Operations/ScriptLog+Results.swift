import Forms
import Platform

extension ScriptLog {
  /// Finds out whether the result of a child must not become assignments.
  ///
  /// The keys of a result are the child's, not the script's. Those that the script has named were checked when it asked, and
  /// runs that were begun before get what they got then.
  ///
  /// - Parameter index: the index of the child's entry.
  /// - Returns: why it must not; nil if it may, or is printed in another way.
  package func unprintable(at index: Int) -> ScriptCrash? {
    guard features.contains(.assignments), let entry = entries[safe: index], entry.style == .assignments, let child = entry.child,
      child.keys == nil, case .finished(let result) = child.ending
    else { return nil }
    var known: [ShellVariable: String] = [:]
    for key in result.open.keys.sorted() {
      let variable = ShellVariable(of: key)
      let problem: String? =
        if variable.isReserved {
          "has \(key.debugDescription), which would set the variable \(variable.name)"
        } else if let other = known.updateValue(key, forKey: variable) {
          "has \(other.debugDescription) and \(key.debugDescription), which would set the same variable"
        } else {
          nil
        }
      guard let problem else { continue }
      return ScriptCrash("the result of \(child.flow) \(problem); name the keys: --assignments=KEY,KEY", at: entry.place)
    }
    return nil
  }
}

extension [String: JSONValue] {
  /// The members that are not secret.
  var open: [String: JSONValue] { filter { $0.value["secret"]?.boolean != true } }
}
