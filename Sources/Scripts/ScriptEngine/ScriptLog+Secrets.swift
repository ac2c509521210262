/// Secrets are kept for the first step after their form, or after the step whose result they are. The log has only their names.
extension LogEntry {
  /// The names of the secrets that the operation has brought: with an answer, or as its result.
  fileprivate var broughtSecrets: [String] {
    if let step { if case .done = step.ending, step.isResultSecret { [name] } else { [] } } else { ask?.secrets ?? [] }
  }
}

extension ScriptLog {
  /// The secrets that the next step may take.
  package var unspentSecrets: Set<String> { available(before: entries.count) }

  /// The names of all secrets that may still be taken: those of forms, which the daemon keeps, and the results of steps, which
  /// the engine keeps.
  package var neededSecrets: Set<String> {
    entries.reduce(into: unspentSecrets) { needed, entry in
      guard entry.isOpen, let step = entry.step else { return }
      needed.formUnion(step.secrets)
      if step.isResultSecret { needed.insert(entry.name) }
    }
  }

  /// The names of the results that are kept: those that may be taken, and those whose step is done again if the user goes back.
  package var neededResults: Set<String> {
    let start = entries.lastIndex(where: \.isBarrier) ?? 0
    return entries.dropFirst(start).reduce(into: neededSecrets) { needed, entry in
      needed.formUnion(entry.step?.secrets ?? [])
      needed.formUnion(entry.broughtSecrets)
    }
  }

  /// Returns the secrets of a step that have come with answers, and not as results of steps.
  ///
  /// - Parameter index: the index of the step's entry.
  /// - Returns: the names.
  package func secretsOfForms(for index: Int) -> [String] {
    (entries[safe: index]?.step?.secrets ?? []).filter { name in
      sources(of: index).last { $0.broughtSecrets.contains(name) }?.ask != nil
    }
  }

  private func available(before index: Int) -> Set<String> { Set(sources(of: index).flatMap(\.broughtSecrets)) }

  /// Returns the entries whose secrets a step can take: those after the step before it, and that step and the ones before it
  /// that have made secrets one after the other.
  private func sources(of index: Int) -> [LogEntry] {
    let start = start(of: index)
    let steps = entries[..<start].reversed().filter { $0.step?.isLook == false }
    return steps.prefix { $0.step?.isResultSecret == true }.reversed() + entries[start..<index]
  }

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
  package func lack(of names: [String], before index: Int) -> StepError {
    let available = available(before: index)
    let name = names.first { !available.contains($0) } ?? names.first ?? ""
    guard let source = entries[..<index].lastIndex(where: { $0.broughtSecrets.contains(name) }) else {
      let isMade = entries[..<index].contains { $0.name == name && $0.step?.isResultSecret == true }
      return .secretSpent(
        isMade
          ? "the step or look '\(name)' has failed, and made no secret"
          : "no form has brought a secret '\(name)'; ask for it before this step")
    }
    let isMade = entries[source].ask == nil
    let (origin, advice) = isMade ? ("the one that has made it", "make it") : ("its form", "ask for it")
    // Steps that make secrets one after the other do not take each other's away.
    let taker = entries[(source + 1)..<index].first { $0.step.map { !$0.isLook && !(isMade && $0.isResultSecret) } ?? false }
    guard !available.contains(name), let step = taker else {
      return .secretSpent("the secret '\(name)' was lost, because the engine has restarted; \(advice) again")
    }
    return .secretSpent(
      """
      the secret '\(name)' is gone, because only the first step after \(origin) can take it, which was '\(step.key)'; \
      \(advice) again before this step, or do both in one step
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
