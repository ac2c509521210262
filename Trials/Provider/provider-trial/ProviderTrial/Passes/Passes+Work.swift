import CoordinatorKit
import DBus

/// Tests work: requested again, cancelled, and interrupted by the death of either side.
extension Passes {
  /// Tests each kind of work that the walk has found.
  mutating func tryWork() async {
    let works = examiner.works
    if works.isEmpty { return log.couldNotTry("work, because no flow orders any") }
    for work in works.prefix(4) where !examiner.hasGivenUp {
      log.say("trying the work '\(work.id)' of \(work.flow)")
      await tellTwice(work)
      await refuseResult(work)
      await cancel(work)
      await replaceDaemon(during: work)
      await kill(during: work)
    }
    examineWhatWasTold()
  }

  private func ticket(_ name: String, _ work: PerformedWork) -> Ticket {
    Ticket(instance: "/provider-trial-\(name)-\(examiner.nextTurn())@1", work: work.id)
  }

  /// Waits for a number of results of a piece of work.
  private func ends(of ticket: Ticket, _ count: Int = 1, within limit: Duration) async -> Bool {
    let stage = stage
    return await Stage.within(limit) {
      try await stage.book.until { $0.ends[ticket]?.count ?? 0 >= count }
      return true
    } ?? false
  }

  /// Answers the calls that were held back.
  private func takeResults(of ticket: Ticket) {
    let calls = stage.book.update { book in
      defer {
        book.policies[ticket] = .take
        book.running.remove(ticket)
        for index in (book.ends[ticket] ?? []).indices { book.ends[ticket]?[index].isOpen = false }
      }
      return (book.ends[ticket] ?? []).filter(\.isOpen).map(\.call)
    }
    for call in calls { call.reply() }
  }

  /// Requests the same work twice before its result has been taken.
  private func tellTwice(_ work: PerformedWork) async {
    let ticket = ticket("twice", work)
    stage.book.update { $0.policies[ticket] = .hold }
    log.tries(.acceptsWorkAtOnce)
    log.tries(.acceptsWorkAgain)
    let start = ContinuousClock.now
    let first = await stage.perform(work, for: ticket)
    if first == .silent || ContinuousClock.now - start > .seconds(2) {
      log.found(.acceptsWorkAtOnce, "Perform of '\(work.id)' was not answered at once", of: work.flow)
    }
    if case .error(let error) = first {
      log.found(.acceptsWorkAtOnce, "Perform of '\(work.id)' was refused: \(error)", of: work.flow)
    }
    // Sent together, the two requests may arrive in either order, and the second attempt might be the one that begins.
    let second = await stage.perform(work, for: ticket, attempt: 2)
    let wasEarly = stage.book.value.ends[ticket] == nil
    if case .error(let error) = second {
      log.found(.acceptsWorkAgain, "Perform of '\(work.id)', which still ran, was refused: \(error)", of: work.flow)
    }
    log.tries(.endsWork)
    guard await ends(of: ticket, within: examiner.patience) else {
      return log.found(.endsWork, "the work '\(work.id)' was not ended within \(examiner.patience)", of: work.flow)
    }
    if wasEarly {
      log.tries(.startsWorkOnce)
      // One run has one result, which is sent once at a time.
      if await ends(of: ticket, 2, within: .milliseconds(700)) {
        log.found(.startsWorkOnce, "Perform of '\(work.id)', which still ran, started it a second time", of: work.flow)
      }
    } else {
      log.couldNotTry("Perform of running work for '\(work.id)', because it ends too quickly")
    }
    takeResults(of: ticket)
  }

  /// Refuses a result once, like a daemon with a full disk.
  private func refuseResult(_ work: PerformedWork) async {
    let ticket = ticket("refused", work)
    stage.book.update { $0.policies[ticket] = .refuseFirst }
    log.tries(.repeatsResult)
    _ = await stage.perform(work, for: ticket)
    guard await ends(of: ticket, within: examiner.patience) else { return }
    if await !ends(of: ticket, 2, within: .seconds(15)) {
      log.found(
        .repeatsResult, "the result of '\(work.id)' was refused with NotStored, and not sent again within 15 seconds",
        of: work.flow)
    }
  }

  /// Cancels work that has just begun.
  private func cancel(_ work: PerformedWork) async {
    for member in ["CancelWork", "Ended"] {
      let ticket = ticket("cancelled", work)
      log.tries(.stopsCancelledWork)
      _ = await stage.perform(work, for: ticket)
      if member == "CancelWork" {
        stage.cancel(ticket)
      } else {
        stage.tell("Ended", [.string(ticket.instance), .string("cancelled")])
      }
      // Five seconds after the cancellation, the daemon drops the results of the work.
      let isReporting = await !ends(of: ticket, within: .seconds(2)) && reports(of: ticket, within: .seconds(1))
      if isReporting, await !ends(of: ticket, within: .seconds(4)), reports(of: ticket, within: .seconds(1)) {
        log.found(
          .stopsCancelledWork, "the work '\(work.id)' still reported progress 5 seconds after \(member)", of: work.flow)
      }
      stage.book.update { _ = $0.running.remove(ticket) }
      if !stage.isRunning {
        log.found(.survives, "the provider ended over \(member) of '\(work.id)'\(stage.lastWords)", of: work.flow)
        guard await restart() else { return }
      }
    }
  }

  /// Returns whether progress of a piece of work was reported recently.
  private func reports(of ticket: Ticket, within limit: Duration) -> Bool {
    stage.book.value.reports[ticket].map { ContinuousClock.now - $0 < limit } ?? false
  }

  /// Replaces the daemon while a result waits for its answer.
  private func replaceDaemon(during work: PerformedWork) async {
    let ticket = ticket("daemon", work)
    stage.book.update { $0.policies[ticket] = .hold }
    log.tries(.worksAfterDaemonRestart)
    _ = await stage.perform(work, for: ticket)
    guard await ends(of: ticket, within: examiner.patience) else { return }
    do { try await stage.replaceDaemon(isAway: true) } catch { return }
    stage.book.update { $0.policies[ticket] = .take }
    guard await isRegistered() else { return }
    _ = await stage.perform(work, for: ticket, attempt: 2)
    if await !ends(of: ticket, within: examiner.patience + .seconds(5)) {
      log.found(
        .worksAfterDaemonRestart, "the daemon was restarted before it took the result of '\(work.id)', which never came again",
        of: work.flow)
    }
  }

  /// Kills the provider during work, and requests the work from the next process.
  private func kill(during work: PerformedWork) async {
    let ticket = ticket("killed", work)
    stage.book.update { $0.policies[ticket] = .hold }
    log.tries(.worksAfterOwnRestart)
    _ = await stage.perform(work, for: ticket)
    guard await restart() else { return }
    stage.book.update {
      $0.policies[ticket] = .take
      $0.ends[ticket] = nil
    }
    let reply = await stage.perform(work, for: ticket, attempt: 2)
    if case .error(let error) = reply {
      log.found(.worksAfterOwnRestart, "Perform of '\(work.id)' for a second attempt was refused: \(error)", of: work.flow)
    } else if await !ends(of: ticket, within: examiner.patience) {
      log.found(
        .worksAfterOwnRestart, "the work '\(work.id)', which a SIGKILL had cut short, was not ended when it was told again",
        of: work.flow)
    }
  }

  /// Examines the provider's calls of the daemon.
  private func examineWhatWasTold() {
    let book = stage.book.value
    log.tries(.endsOnlyItsWork)
    for work in book.strayResults {
      log.found(.endsOnlyItsWork, "EndWork named the work '\(work)', which it was never told to do")
    }
    log.tries(.resultIsValid)
    for problem in book.unreadableResults { log.found(.resultIsValid, "the result of work \(problem)") }
    guard examiner.marks.areThere else {
      return log.couldNotTry("whether secrets are kept, because no work takes one of 6 characters or more")
    }
    log.tries(.hidesSecrets)
    if examiner.marks.isIn(book.told) { log.found(.hidesSecrets, "a result or a progress report contains a secret") }
  }

  /// Waits until the provider has registered with the current daemon.
  func isRegistered() async -> Bool {
    log.tries(.registersAgain)
    let stage = stage
    let isThere = await Stage.within(.seconds(15)) { try await stage.book.until { $0.registration != nil }.registrations }
    if isThere == nil {
      log.found(.registersAgain, "the daemon's name got another owner, and the provider did not register with it")
    }
    return isThere != nil
  }
}
