import Forms

/// Everything that is known of one coordinator of a script: the script is a function of it.
///
/// A value without I/O. The script's operations and the daemon's events change it, and the methods that do so return what
/// comes of them.
package struct ScriptLog: Sendable, Hashable {
  /// The most entries of a log.
  package static let maxEntries = 1_000
  /// The most bytes of a log as text.
  package static let maxSize = 256 * 1024

  /// The version of the script that has written the log last.
  package var version: UInt32
  /// The digest of the script's source that has written the log last.
  package var digest: String
  /// What the flow was started with, or what `again` has begun anew with.
  package var input: [String: JSONValue]
  /// The operations of the run, in order.
  package var entries: [LogEntry] = []
  /// Answers that were dropped, by the key of their question; shown when it is asked again, and never given.
  package var suggestions: [String: RecordedAnswer] = [:]
  /// Whether the log has begun anew: its first question does not allow Back.
  package var isAgain = false
  /// The entry down to which the log is being cut, step by step, because the steps are undone first.
  package var undoing: Int?
  /// Messages of the engine for the question that is shown next, until it is answered.
  package var notices: [Notice] = []
  /// The piece of work that waits until the script has got to its next operation; nil if it has.
  package var running: String?
  /// How often runs have failed on their way to the next operation; nil if none has.
  package var stumbles: Stumbles?
  /// How often open steps were begun, by key, before which the log was cut: they do not get their attempts anew.
  package var begun: [String: UInt64] = [:]
  /// How often in a row the log has begun anew though nothing had come of it.
  package var rounds: UInt64 = 0
  /// When the round has begun that may be another such one, in microseconds since 1970; nil if that does not matter.
  var roundStart: UInt64?
  /// Names pieces of work; no number is used twice in one instance.
  package var works: UInt64 = 0

  /// The features that the run was begun with, of those that a run keeps.
  package var features: Set<ScriptFeature>

  /// Creates the log of a script that starts.
  ///
  /// - Parameters:
  ///   - input: the input of the flow.
  ///   - version: the version of the script.
  ///   - digest: the digest of the script's source.
  ///   - features: the features that the run was begun with.
  package init(
    input: [String: JSONValue] = [:], version: UInt32 = 1, digest: String = "",
    features: Set<ScriptFeature> = ScriptFeature.ofRuns
  ) {
    (self.input, self.version, self.digest, self.features) = (input, version, digest, features)
  }
}

extension ScriptLog {
  /// The index of the last question; nil if nothing was asked.
  var lastAsk: Int? { entries.lastIndex { $0.ask != nil } }

  /// How many entries a new run goes through by itself: those before the last answered question. What comes after is asked
  /// of the engine, which so learns how the last question looks; and so is a result that the script may not have as it asked
  /// for it, because it may ask for less now.
  package var replayed: Int { entries[..<known].indices.first { unprintable(at: $0) != nil } ?? known }

  private var known: Int {
    if let undoing, let step = newestUndo(from: undoing) { return step }
    return entries.lastIndex { $0.ask?.answer != nil } ?? firstOpen ?? entries.count
  }

  /// The first entry that is open.
  package var firstOpen: Int? { entries.firstIndex(where: \.isOpen) }

  /// Whether the script asks for the operation after this one without waiting.
  func isFollowed(_ index: Int) -> Bool { entries[safe: index]?.isFollowed ?? false }

  /// Finds out whether the script gets no further when an operation is recorded.
  ///
  /// - Parameter index: the index of the operation's entry.
  /// - Returns: whether the script waits for it, or for another one beside it.
  package func waits(at index: Int) -> Bool {
    var (start, end) = (index, index)
    while isFollowed(start - 1) { start -= 1 }
    while isFollowed(end) { end += 1 }
    return end < entries.count && entries[start...end].contains(where: \.isOpen)
  }

  /// Returns the index of the question before an entry; nil if there is none.
  func ask(before index: Int) -> Int? { entries[..<index].lastIndex { $0.ask != nil } }

  /// Returns the key of the next operation with a name.
  func key(of name: String, at index: Int) -> String {
    let uses = entries[..<min(index, entries.count)].count { $0.name == name }
    return uses == 0 ? name : "\(name)#\(uses + 1)"
  }

  /// Returns an unused name of a piece of work.
  package mutating func nextWork(_ kind: WorkKind) -> String {
    works += 1
    return "\(kind.rawValue)-\(works)"
  }
}

/// What a piece of work is for, which its name begins with.
package enum WorkKind: String, Sendable, Hashable {
  /// Waits until a script that is slow has got to its next operation.
  case run
  case step
  case undo
}
