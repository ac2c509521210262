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
