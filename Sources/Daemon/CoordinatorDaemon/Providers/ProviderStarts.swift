/// How often providers could not be started lately.
struct ProviderStarts: Sendable {
  /// The failures of one provider.
  struct Failures: Sendable {
    private static let most = 5
    private static let time = Duration.seconds(60)

    private var times: [ContinuousClock.Instant] = []

    /// Returns whether the provider may be started once more.
    mutating func allowsAnother(at now: ContinuousClock.Instant) -> Bool {
      times.removeAll { $0.duration(to: now) >= Self.time }
      return times.count < Self.most
    }

    /// Records a start that failed.
    mutating func note(_ now: ContinuousClock.Instant) { times.append(now) }
  }

  private var failures: [String: Failures] = [:]

  /// The failures of a provider, by its name; nil for none.
  subscript(name: String) -> Failures? {
    get { failures[name] }
    set { failures[name] = newValue }
  }

  subscript(name: String, default usual: @autoclosure () -> Failures) -> Failures {
    get { failures[name] ?? usual() }
    set { failures[name] = newValue }
  }

  /// Forgets all providers but some.
  mutating func keepOnly(_ names: Set<String>) { failures = failures.filter { names.contains($0.key) } }
}
