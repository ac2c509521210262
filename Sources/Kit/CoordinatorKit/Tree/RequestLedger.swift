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
  /// A digest of fields that may be confidential. It is not stored, because short values could be found by trial, and is
  /// therefore lost in a restart.
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

/// A call that a client can make to a flow tree.
public enum TreeCall: Sendable, Hashable {
  /// Delivers an event: a user's action on a screen or, without a screen, an event from a script or hardware button.
  ///
  /// `seen` is the revision that the user saw, if the client sent it.
  case delegate(CoordinatorPath, screen: ScreenID?, event: String, payload: [String: JSONValue], seen: UInt64?)
  /// Goes back from a screen.
  case back(ScreenID)
  /// Ends a coordinator, its children first.
  ///
  /// If `isForced` is true, no flow is asked whether it may end, and a flow that cannot be left ends, too.
  case dismiss(CoordinatorPath, animated: Bool, isForced: Bool = false)
  /// Starts a child below a coordinator.
  case startChild(CoordinatorPath, flow: String, input: [String: JSONValue], router: RouterKind)

  /// Stores a user's unsent input on a screen, by field: a value, or the typed text of an unfinished value.
  case saveDraft(ScreenID, [String: JSONValue])

  /// Shows the tree in a language, unless the language has been chosen before; see ``TreeState/isLanguageOpen``.
  case proposeLanguage(LanguageTag)

  /// The coordinator that the call names, if any.
  public var coordinator: CoordinatorPath? {
    switch self {
    case .delegate(let path, _, _, _, _), .dismiss(let path, _, _), .startChild(let path, _, _, _): path
    case .back, .saveDraft, .proposeLanguage: nil
    }
  }

  /// Whether a user acts on the tree by the call, in the language in which it is shown. Typing is not yet an answer.
  var isUse: Bool {
    switch self {
    case .delegate, .back, .dismiss, .startChild: true
    case .saveDraft, .proposeLanguage: false
    }
  }

  /// Returns a digest of the call that may be stored. It excludes the values of the given fields of the payload, and
  /// `seen`, which does not affect the meaning of the call.
  ///
  /// If the event does not come from a screen, it is unknown which fields of the payload are confidential. Therefore
  /// only their names are included, except in the kind of digest that older versions stored.
  func digest(without fields: Set<String>, as kind: Digest.Kind) -> Digest {
    let texts: [String] =
      switch self {
      case .delegate(let path, nil, let event, let payload, _) where kind != .fnv1a:
        ["delegate", path.text, "", event, JSONValue.array(payload.keys.sorted().map { .string($0) }).canonicalText]
      case .delegate(let path, let screen, let event, let payload, _):
        [
          "delegate", path.text, screen?.description ?? "", event,
          JSONValue.object(payload.filter { !fields.contains($0.key) }).canonicalText,
        ]
      case .back(let screen): ["back", screen.description]
      case .dismiss(let path, let isAnimated, let isForced):
        ["dismiss", path.text, isAnimated.description] + (isForced ? [Occasion.force] : [])
      case .startChild(let path, let flow, let input, let router):
        ["start-child", path.text, flow, JSONValue.object(input).canonicalText, router.rawValue]
      case .proposeLanguage(let language): ["propose-language", language.description]
      case .saveDraft(let screen, let values): ["save-draft", screen.description, JSONValue.object(values).canonicalText]
      }
    return Digest(of: texts, as: kind)
  }

  /// A digest of the values that ``digest(without:as:)`` excludes because they may be confidential. Must not be stored.
  var digestOfUnknown: Digest? {
    guard case .delegate(_, nil, _, let payload, _) = self else { return nil }
    return Digest(of: JSONValue.object(payload).canonicalText)
  }
}

/// The reply of a flow tree to a call.
public enum TreeAnswer: Sendable, Hashable {
  /// The revision after the transition. If it is unchanged, nothing visible has changed.
  case revision(UInt64)
  /// The child that was started.
  case child(CoordinatorPath)
}

extension RequestLedger.Answer {
  /// The reply to a repeated call.
  public var result: Result<TreeAnswer, CallError> {
    switch self {
    case .revision(let revision): .success(.revision(revision))
    case .child(let path): .success(.child(path))
    case .failed(let failure): .failure(.failed(failure))
    }
  }
}
