import CoordinatorKit

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
