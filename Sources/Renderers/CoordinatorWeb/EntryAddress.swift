import Platform

/// An address that admits one browser.
public struct EntryAddress: Sendable, Hashable {
  /// The reason why the server issued an address.
  public enum Occasion: String, Sendable, Hashable {
    /// The server has started.
    case start
    /// A browser has used the previous one.
    case use
    /// The previous one has expired.
    case expiry
  }

  /// The address.
  public let address: String
  /// The text of a QR code for the address.
  public let codeText: String
  /// The time for which the address can be used; nil until the server ends.
  public let lifetime: Duration?
  /// The reason why the server issued it.
  public let occasion: Occasion

  /// Creates the address of an entry token.
  init(_ origin: Origin, path: String, _ occasion: Occasion) {
    address = origin.description + path
    codeText = address
    lifetime = nil
    self.occasion = occasion
  }

  /// Creates the address of a code.
  init(_ origin: Origin, _ code: EntryCode, _ occasion: Occasion) {
    address = "\(origin)/\(code.text)"
    // Uppercase letters need less room in a QR code, and neither scheme nor host distinguishes the case.
    codeText = address.bytes.uppercased
    lifetime = Passes.lifetime
    self.occasion = occasion
  }
}

/// An unguessable code in an address that is scanned or typed: 130 bits from the system's random number generator, as 26
/// letters and digits that are short in a QR code and hard to confuse.
public struct EntryCode: Sendable, Hashable {
  /// The letters and digits, in uppercase.
  public let text: String

  /// The digits of Crockford's base 32, which has no I, L, O and U.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  static let length = 26

  /// Creates a random code.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = String(decoding: (0..<Self.length).map { _ in Self.digits[Int(generator.next() & 31 as UInt64)] }, as: UTF8.self)
  }

  /// Returns whether a string equals the code, in constant time. The string must be in the usual form of codes: see
  /// ``typed(_:)``.
  func matches(_ other: String) -> Bool {
    guard other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Parses typed text as a code. As in Crockford's specification, case and hyphens are ignored, and letters that look like
  /// digits are those digits.
  ///
  /// - Returns: the code in its usual form, which need not be valid; nil if the text is not a code.
  static func typed(_ text: String) -> String? {
    let digits = text.bytes.uppercased.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "-"): nil
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: byte
      }
    }
    guard digits.count == length, digits.allSatisfy(Self.digits.contains) else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Reads the path of an address with a code; nil if it has another form.
  static func inPath(_ path: [String]) -> String? { path.count == 1 ? typed(path[0]) : nil }
}

/// The codes that admit browsers of other machines. Each admits one browser, and expires after ten minutes.
struct Passes: Sendable {
  /// A code and its purpose.
  struct Pass: Sendable, Hashable {
    let code: EntryCode
    /// The number that distinguishes the codes. It admits no browser.
    let number: Int
    /// The cookie of the session that requested the code; nil for the code that the server announces.
    let owner: Token?
    /// The flow tree to show first; nil for the first page.
    let tree: String?
    let expiry: ContinuousClock.Instant
  }

  /// The time for which a code can be used.
  static let lifetime = Duration.seconds(600)
  /// The maximum number of codes at a time that browsers have requested. Beyond it, the oldest code of the browser with the
  /// most codes becomes invalid. The announced one never does, because it is the only one that the user who started the server
  /// can see.
  static let maximumCount = 16

  private var passes: [Pass] = []
  /// The number of codes so far.
  private var count = 0

  /// Issues a code. It replaces the previous one of the same session for the same tree.
  ///
  /// - Parameters:
  ///   - tree: flow tree to show first; nil for the first page.
  ///   - owner: cookie of the session that requests the code; nil for the code that the server announces.
  ///   - now: time of issue.
  /// - Returns: the code, which is valid from now on.
  mutating func issue(for tree: String?, by owner: Token?, at now: ContinuousClock.Instant) -> Pass {
    count += 1
    let pass = Pass(code: EntryCode(), number: count, owner: owner, tree: tree, expiry: now + Self.lifetime)
    passes.removeAll { $0.expiry <= now || ($0.owner == owner && $0.tree == tree) }
    if owner != nil, passes.count(where: { $0.owner != nil }) >= Self.maximumCount, let oldest = mostDispensable {
      passes.remove(at: oldest)
    }
    passes.append(pass)
    return pass
  }

  /// The index of the oldest code of the browser with the most codes.
  private var mostDispensable: Int? {
    let counts = passes.reduce(into: [Token: Int]()) { if let owner = $1.owner { $0[owner, default: 0] += 1 } }
    guard let most = counts.values.max() else { return nil }
    return passes.firstIndex { $0.owner.map { counts[$0] == most } ?? false }
  }

  /// Invalidates the codes that a session has requested.
  mutating func revoke(of owner: Token) { passes.removeAll { $0.owner == owner } }

  /// Returns whether a code currently admits a browser.
  func knows(_ code: String, at now: ContinuousClock.Instant) -> Bool {
    passes.contains { $0.code.matches(code) && $0.expiry > now }
  }

  /// Uses up a code.
  ///
  /// - Returns: the pass; nil if there is none with this code, or if it has expired.
  mutating func use(_ code: String, at now: ContinuousClock.Instant) -> Pass? {
    guard let index = passes.firstIndex(where: { $0.code.matches(code) }) else { return nil }
    let pass = passes.remove(at: index)
    return pass.expiry > now ? pass : nil
  }
}
