/// Accounts in memory. Counts need not be stored, because the ledger keeps them while the program runs.
struct MemoryAccountStore: AccountStore {
  private let accounts: AccountList
  private let hasher = NameHasher()

  init(accounts: AccountList) { self.accounts = accounts }

  func lookUp(_ username: String) -> AccountLookup { accounts.lookUp(username, hasher: hasher) }

  func keep(_ changes: [AttemptName: AttemptTally]) {}
}
