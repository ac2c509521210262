/// What has come so far of asking about one event that nobody waits for, or of having one piece of work performed: who was
/// asked last, and how often that has failed (P12).
///
/// It goes from try to try, because nobody can be asked who a program was once it is dead, and a new process of the same
/// program is no reason to try again. A value that decides.
package struct AskingHistory: Sendable, Hashable {
  /// After how many failures over one event its provider is not asked by itself any more.
  static let maxFailures = 3

  /// The coordinator that was to decide; nil as long as none was.
  private(set) var instance: FlowInstance?
  /// The program that was asked last; nil if none was.
  package private(set) var program: ServingProgram?
  /// Whether a program has died over the event. From then on, nothing else is asked at the same time, so that it is known
  /// whose fault the next death is.
  package private(set) var isSuspect = false
  /// How often the present program has failed over the event: deaths while it was asked nothing else, time-outs, and
  /// answers that cannot be used.
  private var failures = 0
  /// Whether it was asked, and how that ended has not been counted.
  private var isOpen = false

  /// Creates the history of an event that nobody was asked about.
  package init() {}

  /// Creates the history of an event that a program cannot be asked about, because it is too old.
  init(of instance: FlowInstance, by program: ServingProgram) { (self.instance, self.program) = (instance, program) }

  /// Whether it has failed so often that it is not asked by itself any more.
  var isExhausted: Bool { failures >= Self.maxFailures }

  /// Returns whether to ask by itself: not a program that has failed too often, as long as it is not changed.
  func allowsAsking(_ server: ServingProgram?) -> Bool {
    guard isExhausted, let program else { return true }
    return server.map { $0.isAnother(than: program) } ?? false
  }

  /// Records that a provider is to decide for a coordinator. What has come of asking for another one does not count.
  mutating func begin(for decider: FlowInstance) {
    if instance != decider { self = AskingHistory() }
    instance = decider
    isOpen = false
  }

  /// Records that a program is asked. One that was changed has not failed before.
  package mutating func ask(_ asked: ServingProgram) {
    if let program, asked.isAnother(than: program) { failures = 0 }
    // The digest of a program that has not registered yet is not known.
    let digest = asked.digest.isEmpty ? program?.digest ?? "" : asked.digest
    program = ServingProgram(name: asked.name, version: asked.version, digest: digest)
    isOpen = true
  }

  /// Records that the program had left before it was asked.
  package mutating func wasNotAsked() { isOpen = false }

  /// Records that the program has died instead of answering.
  ///
  /// - Returns: whether it is to be asked again. If not, the death has not been counted: ``failed()`` does that.
  package mutating func dies() -> Bool {
    guard failures + 1 < Self.maxFailures || !isSuspect else { return false }
    if isSuspect { failures += 1 }
    (isSuspect, isOpen) = (true, false)
    return true
  }

  /// Returns the history with a failure more, if the program was asked: what only waited for its turn has not failed.
  func failed() -> AskingHistory {
    var history = self
    if isOpen { (history.failures, history.isOpen) = (failures + 1, false) }
    return history
  }

  /// Returns the history without failures, because somebody wants the event to be tried again. What has killed a program
  /// remains suspect.
  func renewed() -> AskingHistory {
    var history = self
    history.failures = 0
    return history
  }
}

extension ServingProgram {
  /// Returns whether this is another program than one that could not go on, as far as that is known: neither a new process
  /// of it, nor one that has not said yet which it is.
  func isAnother(than old: ServingProgram) -> Bool {
    version != old.version || (!digest.isEmpty && !old.digest.isEmpty && digest != old.digest)
  }
}
