extension Figures: CustomStringConvertible {
  /// A human-readable table.
  public var description: String {
    """
    kills                               \(kills), \(killsDuringStartUp) of them before the daemon served
    kills of the provider               \(providerKills), and \(refusedWithoutProvider) calls repeated because it was away
    flow trees                          \(started) started, \(ended) ended
    acknowledged transitions            \(acknowledged), and \(drafts) drafts
    work                                \(worksDone) done, \(worksInterrupted) interrupted that took a secret
    flows whose caller left             \(callersLeft)
    calls repeated after a kill         \(repeated), \(repeatedStarts) of them starts of flows
    calls in doubt                      \(doubtsDone) were done, \(doubtsNotDone) were not
    comparisons with what was told      \(comparisons)
    from exec to the first answer       \(firstAnswers.summary)
    from exec until all flows are back  \(restorations.summary)
    duration                            \(duration.inSeconds)
    acknowledged transitions lost       \(count(.lost))
    done twice                          \(count(.doneTwice))
    differing from what was told        \(count(.different))
    """
  }
}

extension [Duration] {
  fileprivate var summary: String {
    let sorted = sorted()
    guard let longest = sorted.last else { return "not measured" }
    return "median \(sorted[count / 2].inMilliseconds), longest \(longest.inMilliseconds)"
  }
}

extension Duration {
  fileprivate var inMilliseconds: String { "\(Int((self / .milliseconds(1)).rounded())) ms" }
  fileprivate var inSeconds: String { "\(Int((self / .seconds(1)).rounded())) s" }
}
