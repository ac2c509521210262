extension DebconfConnection {
  /// Takes a line about progress. Replies at once, because debconf waits for the reply, and the package waits for debconf.
  mutating func take(progress command: DebconfCommand) -> [DebconfEffect] {
    var reply = Self.success
    switch command {
    case .startProgress(let minimum, let maximum, let tag):
      let summary = described.removeValue(forKey: tag)?.summary ?? ""
      isCancelled = false
      progress = DebconfProgress(
        title: title, summary: summary, minimum: minimum, maximum: maximum, isCancellable: announcesCancel)
    case .stopProgress:
      isCancelled = false
      progress = nil
    case .setProgress(let value): progress?.value = value
    case .stepProgress(let step): progress?.step(by: step)
    case .describeProgress(let tag): progress?.text = described.removeValue(forKey: tag)?.summary ?? ""
    default: break
    }
    if isCancelled { reply = Self.line("30 canceled") }
    return [.reply(reply), .progress(progress)]
  }
}
