import Platform

/// Hashes names without an account, with a salt that makes the hashes useless elsewhere.
struct NameHasher: Sendable, Hashable {
  private static let method = "$5$"
  /// The minimum that the method supports, which takes 0.3 ms. Each check of a password waits for it.
  private static let rounds: UInt = 1_000

  /// The method, cost and salt in the format of crypt(3).
  let setting: String

  /// Creates a hasher with a new salt. Uses crypt(3), because it is available, salted and one-way.
  init() {
    // Without random numbers, a publicly known salt is used: on a system in that state, this is better than no log-in.
    setting = Crypt.newSetting(prefix: Self.method, cost: Self.rounds) ?? "\(Self.method)rounds=\(Self.rounds)$coordinatord"
  }

  /// Creates a hasher with a stored setting; nil if the setting is not of this kind.
  init?(setting: String) {
    let start = "\(Self.method)rounds=\(Self.rounds)$"
    let isSalt = setting.utf8.dropFirst(start.utf8.count).allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") }
    guard setting.bytes.hasPrefix(start), setting.utf8.count > start.utf8.count, isSalt else { return nil }
    self.setting = setting
  }

  /// Returns the hash of a name, without the setting. Names longer than crypt(3) supports are distinguished by their
  /// first 256 bytes.
  func callAsFunction(_ name: String) -> String {
    let bytes = name.utf8.prefix(256).map { CChar(bitPattern: $0) } + [0]
    return Crypt.withHash(of: bytes, setting: setting) { hash in
      hash.flatMap { String(cString: $0).bytes.split(separator: "$").last.map(String.init) } ?? ""
    }
  }
}
