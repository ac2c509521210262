import DequeModule
import Platform

/// Makes large answers, one at a time, on a thread other than the loop's.
struct AnswerMaker: Sendable {
  private let lane = WorkPool(most: 1).lane()

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer to make.
  ///   - types: the types that the results must have; nil for any.
  ///   - limits: the limits for outgoing messages.
  ///   - completion: the closure to call with the answer, on the thread that has made it.
  func make(
    _ answer: LargeAnswer, types: String?, limits: MessageLimits,
    completion: @escaping @Sendable (Result<MadeAnswer, DBusError>) -> Void
  ) {
    Task(executorPreference: lane) { completion(Self.message(answer, types, limits)) }
  }

  private static func message(_ answer: LargeAnswer, _ types: String?, _ limits: MessageLimits) -> Result<MadeAnswer, DBusError> {
    // Callers of small answers must not wait for a large one.
    Thread.lowerPriority(of: Thread.current)
    do throws(DBusError) {
      return .success(try MadeAnswer(try answer.make(), types: types, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}

/// Decides which recipient gets the next large answer: recipients take turns, and each one's answers are made in order.
///
/// A pure value. One answer is made at a time, and none while too many bytes wait to be sent.
struct AnswerTurns<Pending: Sendable>: Sendable {
  private var waiting: [String: Deque<Pending>] = [:]
  /// The recipients with waiting answers, the next one first.
  private var recipients: Deque<String> = []
  /// The recipient of the answer that is being made.
  private(set) var current: String?

  /// Whether no answer waits and none is being made.
  var isEmpty: Bool { recipients.isEmpty && current == nil }

  /// Queues an answer.
  mutating func add(_ pending: Pending, for recipient: String) {
    if waiting[recipient] == nil { recipients.append(recipient) }
    waiting[recipient, default: []].append(pending)
  }

  /// Returns the answer to make now; nil if there is none or one is being made. ``end()`` must follow.
  mutating func next() -> Pending? {
    guard current == nil, let recipient = recipients.popFirst(), let pending = waiting[recipient]?.popFirst() else { return nil }
    if waiting[recipient]?.isEmpty == true { waiting[recipient] = nil } else { recipients.append(recipient) }
    current = recipient
    return pending
  }

  /// Records that the answer has been sent or abandoned.
  mutating func end() { current = nil }

  /// Returns whether an answer waits for the recipient.
  func hasWaiting(for recipient: String) -> Bool { waiting[recipient] != nil }
}

/// A large answer as the body of a message, which can be sent to any number of callers.
struct MadeAnswer: Sendable {
  /// The types of its values.
  let signature: String
  /// The marshalled values.
  let body: [UInt8]

  /// The size in bytes, without the header.
  var size: Int { body.count }

  /// Marshals the results of a method.
  ///
  /// - Parameters:
  ///   - values: the results.
  ///   - types: the types that they must have; nil for any.
  ///   - limits: the limits for outgoing messages.
  /// - Throws: `LimitsExceeded`, or the error for invalid values.
  init(_ values: [Value], types: String?, limits: MessageLimits) throws(DBusError) {
    if let types { try values.check(areOf: types) }
    let size = try OutgoingMessage.reply(values, to: 1, of: "").check(limits)
    do {
      signature = try Signature(of: values).string
    } catch {
      throw .failed(error.description)
    }
    var buffer = WireBuffer(capacity: size)
    for value in values { buffer.append(value) }
    body = Array(buffer.bytes)
  }
}

extension [Value] {
  /// Checks the types of the values.
  ///
  /// - Throws: `Failed` if the values do not have these types.
  func check(areOf types: String) throws(DBusError) {
    let found: String
    do {
      found = try Signature(of: self).string
    } catch {
      throw .failed(error.description)
    }
    guard found == types else { throw .failed("its types are '\(found)' instead of '\(types)'") }
  }
}

/// A cache of the most recent large answers. An answer is used again for the same request while it is up to date.
///
/// A pure value. Limited by bytes; the least recently used answers are evicted.
struct KeptAnswers<Answer: Sendable>: Sendable {
  private struct Entry: Sendable {
    let stamp: UInt64
    let answer: Answer
    let bytes: Int
    var used: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0
  private(set) var bytes = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Clears the cache if no answer was used since the last call. Returns whether it did.
  mutating func forgetUnused() -> Bool {
    guard uses > 0 else {
      self = KeptAnswers(capacity: capacity)
      return true
    }
    uses = 0
    for key in entries.keys { entries[key]?.used = 0 }
    return false
  }

  /// Returns the cached answer for a key and a stamp; nil if there is none.
  mutating func answer(_ key: String, stamp: UInt64) -> Answer? {
    guard let entry = entries[key] else { return nil }
    guard entry.stamp == stamp else {
      remove(key)
      return nil
    }
    uses += 1
    entries[key]?.used = uses
    return entry.answer
  }

  /// Caches an answer unless it is larger than the cache, and evicts others to make room.
  mutating func keep(_ answer: Answer, bytes: Int, key: String, stamp: UInt64) {
    remove(key)
    guard bytes <= capacity else { return }
    while self.bytes > capacity - bytes, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key { remove(oldest) }
    uses += 1
    entries[key] = Entry(stamp: stamp, answer: answer, bytes: bytes, used: uses)
    self.bytes += bytes
  }

  private mutating func remove(_ key: String) {
    if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
  }
}
