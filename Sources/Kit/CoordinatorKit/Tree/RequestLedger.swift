/// The answers to the newest calls that came with a request key, so that the same call again is answered as the first time.
public struct RequestLedger: Sendable {
  /// How many answers are kept.
  public static let capacity = 64

  /// What was answered.
  public enum Answer: Sendable, Hashable, Codable {
    /// The revision after the transition.
    case revision(UInt64)
    /// The child that was started.
    case child(CoordinatorPath)
    /// The coordinator failed; it has ended.
    case failed(Failure)
  }

  struct Entry: Sendable, Codable {
    let call: CallFingerprint
    let answer: Answer
  }

  private var entries: [String: Entry] = [:]
  private var order: [String] = []
  /// How many keys were there before those in `order`.
  private var forgotten: UInt64 = 0

  /// No answers.
  public init() {}

  /// The answer to a call that was made under this key.
  ///
  /// - Parameters:
  ///   - call: what is asked.
  ///   - key: the request key.
  /// - Returns: nil if the key is new.
  /// - Throws: ``CallError/requestReused(_:)`` if the key stands for another call.
  public func answer(to call: TreeCall, key: String) throws(CallError) -> Answer? {
    guard let entry = entries[key] else { return nil }
    guard entry.call.matches(call) else { throw .requestReused(key) }
    return entry.answer
  }

  /// Keeps an answer, and forgets the oldest if there are too many.
  mutating func record(_ answer: Answer, to call: CallFingerprint, key: String) {
    if entries.updateValue(Entry(call: call, answer: answer), forKey: key) == nil { order.append(key) }
    forgetOldest()
  }

  private mutating func forgetOldest() {
    guard order.count > Self.capacity else { return }
    entries[order.removeFirst()] = nil
    forgotten += 1
  }
}

extension RequestLedger {
  /// The answers that a store has kept.
  ///
  /// - Parameter requests: in any order.
  /// - Throws: `EncodingError` for what JSON cannot hold.
  public init(_ requests: [StoredRequest]) throws {
    for request in requests.sorted(by: { $0.number < $1.number }) {
      // Numbers begin with 1; a damaged store may say anything.
      if order.isEmpty { forgotten = max(request.number, 1) - 1 }
      order.append(request.key)
      entries[request.key] = try StoredText.decode(Entry.self, from: request.entry)
      forgetOldest()
    }
  }

  /// The answers that can be read of what a store has kept.
  ///
  /// - Parameter requests: in any order. Those that do not decode are left out.
  package init(readable requests: [StoredRequest]) {
    for request in requests.sorted(by: { $0.number < $1.number }) {
      guard let entry = try? StoredText.decode(Entry.self, from: request.entry) else { continue }
      order.append(request.key)
      entries[request.key] = entry
      forgetOldest()
    }
  }

  /// Keeps the answer to a call that held no secret.
  ///
  /// - Returns: its entry, for a store.
  /// - Throws: `EncodingError` for what JSON cannot hold.
  package mutating func keep(_ answer: Answer, to call: TreeCall, key: String) throws -> String {
    let entry = Entry(call: CallFingerprint(call, secretFields: []), answer: answer)
    record(answer, to: entry.call, key: key)
    return try StoredText.encode(entry)
  }

  /// The answer that is kept under a key, for a store.
  func stored(_ key: String) throws -> StoredRequest? {
    guard let entry = entries[key], let index = order.lastIndex(of: key) else { return nil }
    return StoredRequest(key: key, number: forgotten + UInt64(index) + 1, entry: try StoredText.encode(entry))
  }

  /// All answers that are kept.
  var allStored: [StoredRequest] { get throws { try order.compactMap { try stored($0) } } }
}

/// What is kept of a call to tell whether another one is the same: neither its payload nor the value of a secret.
struct CallFingerprint: Sendable, Hashable, Codable {
  private enum CodingKeys: CodingKey { case digest, secretFields }

  private let digest: Digest
  private let secretFields: Set<String>
  /// Of what may be confidential for all that is known. Not stored, where short values could be found by trying; so it is gone after a restart.
  private var unstored: Digest?

  /// The fingerprint of a call whose payload holds secrets in the given fields.
  init(_ call: TreeCall, secretFields: Set<String>) {
    self.secretFields = secretFields
    digest = call.digest(without: secretFields, as: .sha256)
    unstored = call.digestOfUnknown
  }

  func matches(_ other: TreeCall) -> Bool {
    guard other.digest(without: secretFields, as: digest.kind) == digest else { return false }
    return unstored == nil || unstored == other.digestOfUnknown
  }
}
