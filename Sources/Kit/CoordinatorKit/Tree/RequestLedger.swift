/// The answers to the most recent calls with a request key, so that a repeated call gets the same answer.
public struct RequestLedger: Sendable {
  /// The maximum number of answers.
  public static let capacity = 64

  /// The answer to a call.
  public enum Answer: Sendable, Hashable, Codable {
    /// The revision after the transition.
    case revision(UInt64)
    /// The child that was started.
    case child(CoordinatorPath)
    /// The coordinator failed and has ended.
    case failed(Failure)
  }

  struct Entry: Sendable, Codable {
    let call: CallFingerprint
    let answer: Answer
  }

  private var entries: [String: Entry] = [:]
  private var order: [String] = []
  /// The number of keys that preceded those in `order`.
  private var forgotten: UInt64 = 0

  /// Creates an empty ledger.
  public init() {}

  /// Returns the answer to an earlier call with the same key.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - key: the request key.
  /// - Returns: the answer, or nil if the key is new.
  /// - Throws: ``CallError/requestReused(_:)`` if the key was used for a different call.
  public func answer(to call: TreeCall, key: String) throws(CallError) -> Answer? {
    guard let entry = entries[key] else { return nil }
    guard entry.call.matches(call) else { throw .requestReused(key) }
    return entry.answer
  }

  /// Adds an answer, and removes the oldest if the capacity is exceeded.
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
  /// Creates a ledger from stored answers.
  ///
  /// - Parameter requests: the stored answers, in any order.
  /// - Throws: `DecodingError` if an answer cannot be decoded.
  public init(_ requests: [StoredRequest]) throws {
    for request in requests.sorted(by: { $0.number < $1.number }) {
      // Numbers begin with 1, but a damaged store may contain 0.
      if order.isEmpty { forgotten = max(request.number, 1) - 1 }
      order.append(request.key)
      entries[request.key] = try StoredText.decode(Entry.self, from: request.entry)
      forgetOldest()
    }
  }

  /// Creates a ledger from those stored answers that can be decoded.
  ///
  /// - Parameter requests: the stored answers, in any order.
  package init(readable requests: [StoredRequest]) {
    for request in requests.sorted(by: { $0.number < $1.number }) {
      guard let entry = try? StoredText.decode(Entry.self, from: request.entry) else { continue }
      order.append(request.key)
      entries[request.key] = entry
      forgetOldest()
    }
  }

  /// Adds the answer to a call that did not contain a secret.
  ///
  /// - Returns: the entry for a store.
  /// - Throws: `EncodingError` if the entry cannot be represented in JSON.
  package mutating func keep(_ answer: Answer, to call: TreeCall, key: String) throws -> String {
    let entry = Entry(call: CallFingerprint(call, secretFields: []), answer: answer)
    record(answer, to: entry.call, key: key)
    return try StoredText.encode(entry)
  }

  /// Returns the answer that is kept under a key, for a store.
  func stored(_ key: String) throws -> StoredRequest? {
    guard let entry = entries[key], let index = order.lastIndex(of: key) else { return nil }
    return StoredRequest(key: key, number: forgotten + UInt64(index) + 1, entry: try StoredText.encode(entry))
  }

  /// All answers, for a store.
  var allStored: [StoredRequest] { get throws { try order.compactMap { try stored($0) } } }
}

/// Identifies a call, without containing its payload or the value of a secret.
struct CallFingerprint: Sendable, Hashable, Codable {
  private enum CodingKeys: CodingKey { case digest, secretFields }

  private let digest: Digest
  private let secretFields: Set<String>
  /// A digest of fields that may be confidential. Not stored, because short values could be found by trial; so it is
  /// gone after a restart.
  private var unstored: Digest?

  /// Creates the fingerprint of a call whose payload contains secrets in the given fields.
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
