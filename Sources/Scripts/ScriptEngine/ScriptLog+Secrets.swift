/// Secrets are kept for the first step after their form. The log has only their names.
extension ScriptLog {
  /// The secrets that the next step may take.
  package var unspentSecrets: Set<String> { Set(entries[start(of: entries.count)...].flatMap { $0.ask?.secrets ?? [] }) }

  /// Returns the first question since the previous step that has provided one of these secrets.
  func form(of names: [String], before index: Int) -> Int? {
    entries[start(of: index)..<index].firstIndex { !Set($0.ask?.secrets ?? []).isDisjoint(with: names) }
  }

  /// Returns the index of the first entry after the previous step.
  private func start(of index: Int) -> Int { entries[..<index].lastIndex { $0.step?.isLook == false }.map { $0 + 1 } ?? 0 }

  /// Returns the error of a step that cannot have its secrets.
  ///
  /// - Parameters:
  ///   - names: the names of its secrets.
  ///   - index: the index of its entry, or of the next one.
  /// - Returns: the error, which tells the author why the first secret that is missing is so, and what to do.
  func lack(of names: [String], before index: Int) -> StepError {
    let available = Set(entries[start(of: index)..<index].flatMap { $0.ask?.secrets ?? [] })
    let name = names.first { !available.contains($0) } ?? names.first ?? ""
    let form = entries[..<index].lastIndex { $0.ask?.secrets.contains(name) == true }
    guard let form, let step = entries[form..<index].first(where: { $0.step?.isLook == false }) else {
      return .secretSpent("no form has brought a secret '\(name)'; ask for it before this step")
    }
    return .secretSpent(
      """
      the secret '\(name)' is gone, because only the first step after its form can take it, which was '\(step.key)'; ask for it \
      again before this step, or do both in one step
      """)
  }

  /// Handles the repetition of a step whose secrets are gone.
  ///
  /// - Parameter index: the index of the step's entry.
  /// - Returns: the verdict.
  package mutating func lacksSecrets(_ index: Int) -> EventVerdict {
    guard let step = entries[safe: index]?.step else { return .nothing }
    if let form = form(of: step.secrets, before: index) { return askAgain(form) }
    // The script waits for this step, and has to receive a result.
    let error = lack(of: step.secrets, before: index)
    entries[index].changeStep { $0.ending = .failed(error) }
    return .goOn(entry: index)
  }

  /// Handles the loss of secrets that were kept for a step.
  ///
  /// - Parameter names: the names.
  /// - Returns: the verdict.
  package mutating func secretsAreGone(_ names: [String]) -> EventVerdict {
    for (index, entry) in entries.enumerated() {
      // A step that was begun has received its secrets.
      guard let step = entry.step, step.ending == nil, step.attempts == 0, !Set(step.secrets).isDisjoint(with: names),
        let form = form(of: step.secrets, before: index)
      else { continue }
      return askAgain(form)
    }
    guard !unspentSecrets.isDisjoint(with: names), let form = form(of: names, before: entries.count) else { return .nothing }
    return askAgain(form)
  }

  mutating func askAgain(_ form: Int) -> EventVerdict {
    cut(to: form)
    notices = [.secretLost]
    return .rerun(.secretLost)
  }
}
