import DBus

/// Replaces the daemon, and ends the trial.
extension Passes {
  /// Gives the daemon's name to another connection, with and without a time in between.
  mutating func replaceDaemon() async {
    for isAway in [true, false] where !examiner.hasGivenUp {
      do { try await stage.replaceDaemon(isAway: isAway) } catch { continue }
      guard await isRegistered() else {
        guard await restart() else { return }
        continue
      }
      if let asked = answered().first {
        await ask(asked, again: .registersAgain, "after a restart of the daemon, it answered in another way")
      }
    }
  }

  /// Releases all flows, and ends the provider.
  mutating func release() async {
    log.tries(.releases)
    let before = stage.book.value.registrations
    stage.tell("Release", [.strings(examiner.flows.keys.sorted()), .string("the trial is over")])
    let stage = stage
    let again = await Stage.within(.seconds(1)) { try await stage.book.until { $0.registrations > before }.registrations }
    if again != nil { log.found(.releases, "it registered the flows again after Release") }
    stage.signal(Signals.end)
    guard let report = await stage.ended(within: .seconds(8)) else {
      return log.remark("the provider did not end within 8 seconds after SIGTERM")
    }
    switch report.status {
    case .killed(Signals.end)?, .exited(0)?, .exited(128 + Signals.end)?, nil: break
    case let status?: log.found(.releases, "it ended with \(status) after Release and SIGTERM\(stage.lastWords)")
    }
  }

  /// Searches the output of the processes for secrets.
  func examinePrinted() {
    guard examiner.marks.areThere else { return }
    log.tries(.printsNoSecrets)
    if examiner.marks.isIn([stage.printed]) { log.found(.printsNoSecrets, "the provider printed a secret") }
  }
}
