import CoordinatorKit

/// Accounts and counts in a file, which administrators may edit at any time.
struct FileAccountStore: AccountStore {
  private let file: AccountFile
  private let time: any TimeSource
  private let report: @Sendable (AccountsNotice) -> Void
  private var loaded: (text: [UInt8], document: AccountDocument, accounts: AccountList)?
  private var hasher = NameHasher()
  /// The tallies changed by other processes that have not been returned to the ledger yet.
  private var counted: [AttemptName: AttemptTally] = [:]
  /// The records that have not been written yet.
  private var unwritten: [AttemptName: AttemptRecord] = [:]
  private var reported: Set<AccountsNotice> = []

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - time: the clocks.
  ///   - report: called with problems that an administrator should fix.
  init(path: String, time: any TimeSource, report: @escaping @Sendable (AccountsNotice) -> Void) {
    file = AccountFile(path: path)
    self.time = time
    self.report = report
  }

  mutating func lookUp(_ username: String) throws -> AccountLookup {
    let accounts = try load(file.read()).accounts
    defer { counted = [:] }
    var lookup = accounts.lookUp(username, hasher: hasher)
    lookup.counted = counted
    return lookup
  }

  mutating func keep(_ changes: [AttemptName: AttemptTally]) throws {
    for (name, tally) in changes { unwritten[name] = AttemptRecord(tally, time: time) }
    let edit = try file.edit()
    var (document, accounts) = try load(edit.content)
    document.note(unwritten, hasher: hasher)
    let text = try document.text()
    try edit.replace(with: text)
    loaded = (text, document, accounts)
    unwritten = [:]
  }

  /// Parses the content of the file if it has changed.
  private mutating func load(
    _ content: AccountFile.Content
  ) throws(AccountsError) -> (document: AccountDocument, accounts: AccountList) {
    if let loaded, loaded.text == content.text {
      tell(of: loaded.accounts, content)
      return (loaded.document, loaded.accounts)
    }
    let document: AccountDocument
    do throws(AccountDocument.Damage) {
      document = try AccountDocument(text: content.text)
    } catch {
      throw .damaged(file: file.path, reason: error.reason)
    }
    let accounts = AccountList(hashes: document.hashes)
    hasher = document.hasher ?? hasher
    compare(loaded?.document.attempts ?? [:], with: document.attempts, accounts)
    loaded = (content.text, document, accounts)
    tell(of: accounts, content)
    return (document, accounts)
  }

  /// Collects the tallies that other processes have changed. Unwritten records are newer, and removed users need no tally.
  private mutating func compare(
    _ old: [AttemptName: AttemptRecord], with new: [AttemptName: AttemptRecord], _ accounts: AccountList
  ) {
    for name in Set(old.keys).union(new.keys) where old[name] != new[name] && unwritten[name] == nil {
      if case .user(let username) = name, !accounts.holds(username) { continue }
      counted[name] = new[name]?.tally(time: time) ?? .clean
    }
  }

  /// Reports problems that an administrator should fix, each once until it is fixed.
  private mutating func tell(of accounts: AccountList, _ content: AccountFile.Content) {
    var notices = Set(accounts.unusable.map { AccountsNotice.unusableHash(file: file.path, username: $0) })
    if content.isReadableByOthers { notices.insert(.readableByOthers(file: file.path)) }
    for notice in notices.subtracting(reported).sorted(by: { "\($0)" < "\($1)" }) { report(notice) }
    reported = notices
  }
}

/// The content of an account file. Unknown members are preserved.
struct AccountDocument: Sendable {
  /// The reason why a text is not a valid document. Quotes nothing of the text except the names of members and users.
  struct Damage: Error, Hashable {
    var reason: String
  }

  private var json: JSONValue
  /// The hashes in the format of crypt(3), by user name.
  let hashes: [String: String]
  /// The stored counts.
  private(set) var attempts: [AttemptName: AttemptRecord] = [:]
  /// The hasher for the names without an account in `attempts`.
  private(set) var hasher: NameHasher?

  /// Parses a document.
  ///
  /// - Parameter text: the document as JSON in UTF-8.
  /// - Throws: ``Damage``.
  init(text: [UInt8]) throws(Damage) {
    // The decoder's error is not passed on, because it may quote the text.
    guard let json = try? JSONValue(parsing: text) else {
      throw Damage(reason: "it is not JSON")
    }
    guard json.object != nil else { throw Damage(reason: "it is not a JSON object") }
    guard let users = json["users"]?.object else { throw Damage(reason: "users must be an object") }
    self.json = json
    var hashes: [String: String] = [:]
    for (name, user) in users.sorted(by: { $0.key < $1.key }) {
      guard let hash = user["hash"]?.string else {
        throw Damage(reason: "the user \(name) must have a hash, which must be a string")
      }
      hashes[name] = hash
    }
    self.hashes = hashes
    try readAttempts()
  }

  private mutating func readAttempts() throws(Damage) {
    guard let kept = json["attempts"] else { return }
    guard kept.object != nil else { throw Damage(reason: "attempts must be an object") }
    for (member, name) in Self.kinds {
      guard let records = kept[member] else { continue }
      guard let records = records.object else { throw Damage(reason: "attempts.\(member) must be an object") }
      for (key, json) in records {
        guard let record = AttemptRecord(json: json) else {
          throw Damage(reason: "attempts.\(member) contains an invalid entry")
        }
        if !record.isClean { attempts[name(key)] = record }
      }
    }
    guard let salt = kept["salt"] else { return }
    guard let hasher = salt.string.flatMap(NameHasher.init(setting:)) else {
      throw Damage(reason: "attempts.salt is invalid")
    }
    self.hasher = hasher
  }

  /// Stores records, replacing previous ones of the same names. A clean record is removed.
  ///
  /// - Parameters:
  ///   - records: the records to store.
  ///   - hasher: the hasher of the names without an account.
  mutating func note(_ records: [AttemptName: AttemptRecord], hasher: NameHasher) {
    var attempts = json["attempts"]?.object ?? [:]
    for (name, record) in records {
      self.attempts[name] = record.isClean ? nil : record
      let member = name.isStranger ? "strangers" : "users"
      var kept = attempts[member]?.object ?? [:]
      kept[name.text] = record.isClean ? nil : record.json(over: kept[name.text])
      attempts[member] = .object(kept)
    }
    attempts["salt"] = .string(hasher.setting)
    self.hasher = hasher
    var members = json.object ?? [:]
    members["attempts"] = .object(attempts)
    json = .object(members)
  }

  /// Returns the document as JSON for people to read and edit.
  ///
  /// - Returns: the text in UTF-8.
  /// - Throws: `EncodingError`.
  func text() throws -> [UInt8] {
    Array(json.indentedText.utf8) + [UInt8(ascii: "\n")]
  }

  private static let kinds: [(member: String, name: @Sendable (String) -> AttemptName)] = [
    ("users", { .user($0) }), ("strangers", { .stranger($0) }),
  ]
}

extension AttemptName {
  fileprivate var text: String {
    switch self {
    case .user(let text), .stranger(let text): text
    }
  }
}

extension AttemptRecord {
  /// Returns the record as JSON, preserving unknown members of the previous one.
  fileprivate func json(over old: JSONValue?) -> JSONValue {
    var members = old?.object ?? [:]
    members["wrong"] = wrong.map(JSONValue.integer)
    members["refusedUntil"] = refusedUntil.map(JSONValue.integer)
    return .object(members)
  }
}

/// A tally in the account file. Uses the time of day, because no other clock survives a restart.
struct AttemptRecord: Sendable, Hashable {
  var wrong: Int64?
  /// The end of the refusal, in milliseconds since 1970.
  var refusedUntil: Int64?

  /// Creates the stored form of a tally.
  ///
  /// - Parameters:
  ///   - tally: the tally.
  ///   - time: the clocks, to convert the end of the refusal to the time of day.
  init(_ tally: AttemptTally, time: any TimeSource) {
    wrong = tally.wrong == 0 ? nil : Int64(tally.wrong)
    refusedUntil = tally.refusedUntil.map { time.wallClock + Int64(($0 - time.elapsed) / .milliseconds(1)) }
  }

  /// Decodes a record; nil if the JSON is invalid.
  init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    wrong = json["wrong"]?.integer
    refusedUntil = json["refusedUntil"]?.integer
    if json["wrong"] != nil && wrong == nil || json["refusedUntil"] != nil && refusedUntil == nil { return nil }
  }

  /// Whether there is nothing to store.
  var isClean: Bool { wrong == nil && refusedUntil == nil }

  /// Returns the tally according to the current clocks. If the time of day was set back, the end of the refusal may be
  /// far in the future; the ledger limits it.
  func tally(time: any TimeSource) -> AttemptTally {
    // Clamped to one hour, which exceeds every refusal, so that no sum overflows.
    let hour: Int64 = 3_600_000
    let now = time.wallClock
    let left = refusedUntil.map { min(max($0, now - hour), now + hour) - now }
    return AttemptTally(
      wrong: Int(clamping: wrong ?? 0), refusedUntil: left.map { time.elapsed + .milliseconds($0) })
  }
}
