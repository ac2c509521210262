/// Turns names that nobody has into hashes, with a salt that makes them of no use elsewhere.
struct NameHasher: Sendable, Hashable {
  private static let method = "$5$"
  /// The fewest that the method knows, 0.3 ms: each check of a password waits for it.
  private static let rounds: UInt = 1_000

  /// Method, cost and salt, as crypt(3) writes them.
  let setting: String

  /// A hasher with a salt of its own. Hashes by crypt(3), because it is at hand, salted and one-way.
  init() {
    // Without random numbers the salt is one that everybody knows: better than no log-in, on a system that has come to that.
    setting = Crypt.newSetting(prefix: Self.method, cost: Self.rounds) ?? "\(Self.method)rounds=\(Self.rounds)$coordinatord"
  }

  /// The hasher whose setting was kept; nil if it is not one of this kind.
  init?(setting: String) {
    let start = "\(Self.method)rounds=\(Self.rounds)$"
    let isSalt = setting.utf8.dropFirst(start.utf8.count).allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") }
    guard setting.hasPrefix(start), setting.utf8.count > start.utf8.count, isSalt else { return nil }
    self.setting = setting
  }

  /// The hash of a name, without the setting. Names of more bytes than crypt(3) takes are told apart by their first 256.
  func callAsFunction(_ name: String) -> String {
    let bytes = name.utf8.prefix(256).map { CChar(bitPattern: $0) } + [0]
    return Crypt.withHash(of: bytes, setting: setting) { hash in
      hash.flatMap { String(cString: $0).split(separator: "$").last.map(String.init) } ?? ""
    }
  }
}
