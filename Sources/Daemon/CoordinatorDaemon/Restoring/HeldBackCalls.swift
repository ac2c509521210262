import CoordinatorJournal
import DBus

/// The calls that wait after a restart until what they need has been restored. Used only on the host's executor.
final class HeldBackCalls {
  private var restoration: Restoration<IncomingCall>
  private let connection: Connection

  /// Creates an empty queue. Without a journal, no call waits.
  init(hasJournal: Bool, connection: Connection) {
    restoration = Restoration(hasJournal: hasJournal)
    self.connection = connection
  }

  /// Whether everything has been restored.
  var isDone: Bool { restoration.isDone }

  /// Returns whether a call has to wait for what it needs.
  func isMissing(_ need: RestorationNeed) -> Bool { restoration.isMissing(need) }

  /// Keeps a call until what it needs has been restored.
  func hold(_ call: IncomingCall, for need: RestorationNeed) { restoration.hold(call, for: need) }

  /// Holds back a call to an object that needs something that has not been restored yet.
  ///
  /// - Parameters:
  ///   - call: a call that has just arrived.
  ///   - reader: reads what the call needs.
  /// - Returns: whether the call is held back.
  func holdsBack(_ call: IncomingCall, _ reader: @autoclosure () -> CallReader) -> Bool {
    guard !isDone else { return false }
    let need = reader().need(of: call.member, at: call.path, call.arguments)
    guard isMissing(need) else { return false }
    hold(call, for: need)
    return true
  }

  /// Starts restoring roots, and delivers the calls that waited for their names.
  func begin(_ roots: [StoredRoot]) { deliver(restoration.begin(roots)) }

  /// Returns the roots to restore next, those that calls wait for first; empty if none is left.
  func next(_ count: Int) -> [StoredRoot] { restoration.next(count) }

  /// Delivers the calls that waited for a tree, which has been restored or held.
  func hasEnded(_ name: String) { deliver(restoration.hasEnded(name)) }

  /// Ends the restoration, and delivers all calls that still wait.
  func end() { deliver(restoration.end()) }

  /// Carries out calls that waited, in order, as if they had just arrived.
  func deliver(_ calls: [IncomingCall]) {
    guard !calls.isEmpty else { return }
    connection.assumeIsolated { connection in
      for call in calls { connection.deliver(call) }
    }
  }
}
