/// Accounts that are there for as long as the program runs, and so are the counts, which the ledger has anyway.
struct MemoryAccountStore: AccountStore {
  private let accounts: AccountList
  private let hasher = NameHasher()

  init(accounts: AccountList) { self.accounts = accounts }

  func lookUp(_ username: String) -> AccountLookup { accounts.lookUp(username, hasher: hasher) }

  func keep(_ changes: [AttemptName: AttemptTally]) {}
}
