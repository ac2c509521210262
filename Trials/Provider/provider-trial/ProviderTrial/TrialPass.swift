/// A pass of a trial after the walk. Passes run in this order.
public enum TrialPass: String, Sendable, Hashable, CaseIterable {
  case anyOrder = "any-order"
  case droppedAnswers = "dropped-answers"
  case sideBySide = "side-by-side"
  case surprises, secrets, pause, strangers, kill, fresh, work, daemon, upgrade, release

  /// A description of the pass, for people.
  var title: String {
    switch self {
    case .anyOrder: "asking in any order"
    case .droppedAnswers: "dropping answers"
    case .sideBySide: "asking side by side"
    case .surprises: "sending events out of place"
    case .secrets: "losing secrets"
    case .pause: "pausing the provider"
    case .strangers: "asking as a stranger"
    case .kill: "killing the provider while it decides"
    case .fresh: "asking fresh processes"
    case .work: "repeating, cancelling and interrupting work"
    case .daemon: "replacing the daemon"
    case .upgrade: "upgrading"
    case .release: "releasing the flows"
    }
  }
}

extension Passes {
  /// Runs a pass, unless it needs more than the walk.
  mutating func run(_ pass: TrialPass) async {
    switch pass {
    case .anyOrder: await askInAnyOrder()
    case .droppedAnswers: await dropAnswers()
    case .sideBySide: await askSideBySide()
    case .surprises: await surprise()
    case .secrets: await loseSecrets()
    case .pause: await pause()
    case .strangers: await sendStrangers()
    case .kill: await killWhileDeciding()
    case .fresh: await askFreshProcesses()
    case .work: await tryWork()
    case .daemon: await replaceDaemon()
    // The upgrade needs the older version; the release comes last.
    case .upgrade, .release: break
    }
  }
}
