import CoordinatorKit
import Forms

/// All that is known of one coordinator of a script: the script is a function of it.
///
/// A value without I/O. The script's operations and the daemon's events change it; the methods that do so return the
/// consequences.
package struct ScriptLog: Sendable, Hashable {
  /// The maximum number of entries of a log.
  package static let maxEntries = 1_000
  /// The maximum number of bytes of a log as text.
  package static let maxSize = 256 * 1024

  /// The version of the script that was the last to write the log.
  package var version: UInt32
  /// The digest of that script's source.
  package var digest: String
  /// The input with which the flow was started, or with which `again` has started it over.
  package var input: [String: JSONValue]
  /// The operations of the run, in order.
  package var entries: [LogEntry] = []
  /// Answers that were dropped, by the key of their question; they are suggested when it is asked again, but never sent.
  package var suggestions: [String: RecordedAnswer] = [:]
  /// Whether the flow has started over: its first question does not allow Back.
  package var isAgain = false
  /// The entry to which the log is being cut; steps after it are undone first, one by one.
  package var undoing: Int?
  /// Messages of the engine on the next question, until it is answered.
  package var notices: [QuestionNotice] = []
  /// The piece of work that waits until the script has reached its next operation; nil if there is none.
  package var running: String?
  /// The failures of runs before the next operation; nil if there are none.
  package var stumbles: Stumbles?
  /// The counted attempts of open steps that were cut from the log, by key: a step does not get new attempts by being repeated.
  package var begun: [String: UInt64] = [:]
  /// How often in a row the flow has started over without an effect.
  package var rounds: UInt64 = 0
  /// When the current round began, in microseconds since 1970, if it may be another one without an effect; nil otherwise.
  var roundStart: UInt64?
  /// The number of pieces of work so far, for their names: no name is used twice in one instance.
  package var works: UInt64 = 0

  /// The features with which the run began, of those that a run keeps.
  package var features: Set<ScriptFeature>

  /// Creates the log of a script that starts.
  ///
  /// - Parameters:
  ///   - input: the input of the flow.
  ///   - version: the version of the script.
  ///   - digest: the digest of the script's source.
  ///   - features: the features with which the run began.
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

  /// How many entries a new run replays by itself: those before the last answered question. It sends the later operations to
  /// the engine, which so learns the screen of the last question. It also sends requests for results that the script must not
  /// print as it requested them, because it may request fewer members now.
  package var replayed: Int { entries[..<known].indices.first { unprintable(at: $0) != nil } ?? known }

  private var known: Int {
    if let undoing, let step = newestUndo(from: undoing) { return step }
    return entries.lastIndex { $0.ask?.answer != nil } ?? firstOpen ?? entries.count
  }

  /// The first entry that is open.
  package var firstOpen: Int? { entries.firstIndex(where: \.isOpen) }

  /// Whether the script sends the operation after this one without waiting.
  func isFollowed(_ index: Int) -> Bool { entries[safe: index]?.isFollowed ?? false }

  /// Whether the script stops when an operation is recorded.
  ///
  /// - Parameter index: the index of the operation's entry.
  /// - Returns: whether the script waits for it, or for a concurrent one.
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

/// The kind of a piece of work, with which its name begins.
package enum WorkKind: String, Sendable, Hashable {
  /// Waits until a slow script has reached its next operation.
  case run
  case step
  case undo
}

/// How often a script has failed before its next operation, since it last reached one or a client retried it.
package struct Stumbles: Sendable, Hashable {
  package var count: UInt64
  /// Whether it does not fit its log, so that each run fails in the same way.
  package var isMisfit: Bool
  /// The reason of the last failure, for its author.
  package var reason: String

  /// Creates a count.
  package init(count: UInt64, isMisfit: Bool = false, reason: String) {
    (self.count, self.isMisfit, self.reason) = (count, isMisfit, reason)
  }
}

extension ScriptLog {
  /// How often a script, or the process of one of its steps, may fail before the flow is held.
  package static let maxDeaths: UInt64 = 3

  /// Records that a slow run has failed before its next operation.
  ///
  /// - Parameters:
  ///   - reason: the reason, for the script's author.
  ///   - isMisfit: whether the script does not fit its log.
  package mutating func hasStumbled(_ reason: String, isMisfit: Bool) {
    stumbles = Stumbles(
      count: (stumbles?.count ?? 0) + 1, isMisfit: isMisfit, reason: String(reason.unicodeScalars.prefix(2_000)))
  }

  /// The failures, if the script has reached the limit; nil otherwise.
  package var lastStumble: Stumbles? { stumbles.flatMap { $0.isMisfit || $0.count >= Self.maxDeaths ? $0 : nil } }

  /// The step whose process has ended as often as the limit allows; nil if there is none.
  package var deadStep: LogEntry? { entries.last { ($0.step?.deaths ?? 0) >= Self.maxDeaths } }

  /// Allows the script and all steps to be tried again.
  package mutating func forgiveDeaths() {
    (stumbles, rounds) = (nil, 0)
    for index in entries.indices { entries[index].changeStep { $0.deaths = 0 } }
  }
}

/// Detects a script that starts over again and again without asking, doing or awaiting anything, which would keep the machine
/// busy. It is slowed down more and more, and then held.
extension ScriptLog {
  /// The number of such rounds at full speed.
  private static let freeRounds: UInt64 = 5
  /// The number of rounds after which it is held.
  private static let maxRounds: UInt64 = 40
  /// The duration in microseconds from which a round counts as slow, without the pause before it: its looks have waited.
  private static let slowRound: UInt64 = 2_000_000

  /// What is wrong with such a script, for its author.
  package static let circling =
    "the script begins anew again and again, though it has asked nothing, done nothing and waited for nothing since;"
    + " ask sleep waits"

  /// Whether the script has started over without an effect as often as it may.
  package var isCircling: Bool { rounds >= Self.maxRounds }

  /// How long to wait before the next round; nil for no wait. It doubles, up to ten seconds.
  package var pauseBeforeRound: Duration? {
    guard rounds > Self.freeRounds else { return nil }
    return .milliseconds(min(10_000, 100 << min(rounds - Self.freeRounds - 1, 10)))
  }

  /// Whether the script waits for the first time.
  package var isFirstPause: Bool { rounds == Self.freeRounds + 1 }

  /// Whether the last round was quick and had no effect. Looks have no effects, but may wait. If the clock was set back, the
  /// round counts as quick.
  ///
  /// - Parameter now: the time, in microseconds since 1970.
  /// - Returns: whether the round counts.
  func isRoundInVain(now: UInt64) -> Bool {
    let pause = UInt64((pauseBeforeRound ?? .zero) / .microseconds(1))
    if let start = roundStart, now >= start, now - start >= pause + Self.slowRound { return false }
    return entries.allSatisfy { entry in
      switch entry.body {
      case .value, .patch: true
      case .step(let step): step.isLook
      case .ask, .timer, .child: false
      }
    }
  }
}

extension ScriptLog {
  /// The format that this version writes.
  package static let format = "script/1"

  /// Reads a log.
  ///
  /// - Throws: ``UnreadableLog``.
  package init(json: JSONValue) throws(UnreadableLog) {
    if let format = json["format"]?.string, format != Self.format {
      throw UnreadableLog("the log has the format \(format), which this version does not know")
    }
    self.init(
      input: json["input"]?.object ?? [:], version: UInt32(exactly: json["version"]?.integer ?? 1) ?? 1,
      digest: json["digest"]?.string ?? "",
      features: Set((json["features"]?.strings ?? []).compactMap(ScriptFeature.init(rawValue:)).filter(\.belongsToRun)))
    for entry in json["entries"]?.array ?? [] { entries.append(try LogEntry(json: entry)) }
    suggestions = (json["suggestions"]?.object ?? [:]).mapValues { RecordedAnswer(json: $0) }
    isAgain = json["again"]?.boolean ?? false
    undoing = json["undoing"]?.integer.flatMap { Int(exactly: $0) }.flatMap { (0...entries.count).contains($0) ? $0 : nil }
    notices = (json["notices"]?.array ?? []).compactMap { $0["code"]?.string.flatMap(QuestionNotice.init(rawValue:)) }
    running = json["running"]?.string
    begun = (json["begun"]?.object ?? [:]).compactMapValues { $0.integer.flatMap { UInt64(exactly: $0) } }
    stumbles = json["stumbles"].map { json in
      Stumbles(
        count: UInt64(exactly: json["count"]?.integer ?? 0) ?? 0, isMisfit: json["misfit"]?.boolean ?? false,
        reason: json["reason"]?.string ?? "")
    }
    rounds = UInt64(exactly: json["rounds"]?.integer ?? 0) ?? 0
    roundStart = json["round"]?.integer.flatMap { UInt64(exactly: $0) }
    works = UInt64(exactly: json["works"]?.integer ?? 0) ?? 0
  }

  /// The log as the protocol describes it. The same log always gives the same text.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "version": .integer(Int64(version)), "input": .object(input),
      "entries": .array(entries.map(\.json)),
    ]
    if !digest.isEmpty { members["digest"] = .string(digest) }
    if !suggestions.isEmpty { members["suggestions"] = .object(suggestions.mapValues(\.json)) }
    if !features.isEmpty { members["features"] = .strings(features.map(\.rawValue).sorted()) }
    if isAgain { members["again"] = true }
    members["undoing"] = undoing.map { .integer(Int64($0)) }
    if !notices.isEmpty { members["notices"] = .array(notices.map(\.json)) }
    members["running"] = running.map { .string($0) }
    members["stumbles"] = stumbles.map { stumbles in
      [
        "count": .integer(Int64(clamping: stumbles.count)), "misfit": .boolean(stumbles.isMisfit),
        "reason": .string(stumbles.reason),
      ]
    }
    if !begun.isEmpty { members["begun"] = .object(begun.mapValues { .integer(Int64(clamping: $0)) }) }
    if rounds > 0 { members["rounds"] = .integer(Int64(clamping: rounds)) }
    members["round"] = roundStart.map { .integer(Int64(clamping: $0)) }
    if works > 0 { members["works"] = .integer(Int64(clamping: works)) }
    return .object(members)
  }

  /// The log as text, which the daemon stores.
  package var text: String { json.wholeText }
}

extension JSONValue {
  /// The value as JSON text on one line, with members that are null: a step may have the result null.
  package var wholeText: String { text(omittingNulls: false) }
}

/// The features of the script protocol beyond its first version, as the variable `COORDINATOR_FEATURES` of a run lists them.
package enum ScriptFeature: String, Sendable, Hashable, CaseIterable {
  /// Assignments for `eval` are printed only if the script requests them. Belongs to runs that began under an engine with this
  /// feature: the scripts of older runs may rely on the earlier output.
  case assignments
  /// The engine counts the attempts of a step or look that is retried, and starts each of them.
  case attempts
  /// The script names the members of a child's result that are printed.
  case resultKeys = "result-keys"
  /// The user can stop a step or look that the script declares stoppable.
  case stoppable
  /// A question can show the answers to those before it.
  case review
  /// The result of a step or look can be a secret for the next step.
  case secretResults = "secret-results"
  /// A step is undone by the words of a command, which is executed without a shell.
  case undoWords = "undo-words"
  /// The script can set the language of the flow tree, and ask a question whose rows are the languages.
  case language

  /// Whether a run keeps the feature with which it began, also under a newer engine.
  package var belongsToRun: Bool { self == .assignments }

  /// The features that a new run keeps.
  package static let ofRuns = Set(allCases.filter(\.belongsToRun))
}

/// A message of the engine to the user, on the next question.
package enum QuestionNotice: String, Sendable, Hashable {
  case secretLost = "secret-lost"
  case undoFailed = "undo-failed"

  private var level: ScreenMessage.Level {
    switch self {
    case .secretLost: .warning
    case .undoFailed: .error
    }
  }

  private var text: Text {
    switch self {
    case .secretLost: "Please enter the secret again."
    case .undoFailed: "This could not be undone."
    }
  }

  /// Returns the message of a screen.
  ///
  /// - Parameter language: the language; nil for English.
  /// - Returns: the message.
  func message(in language: Translations.Language?) -> ScreenMessage {
    ScreenMessage(level, code: rawValue, text: Text(verbatim: text.resolved(in: language)))
  }

  /// The message as a log contains it, in English, for engines that show it unchanged.
  var json: JSONValue {
    let message = message(in: nil)
    return ["level": .string(message.level.rawValue), "code": .string(message.code), "text": .string(message.text)]
  }
}
