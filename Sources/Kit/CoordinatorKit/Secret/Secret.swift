import Locking

/// A value that a user typed in confidence: a password, a PIN.
///
/// It cannot be encoded, compared or used as a key; it prints as dots, whatever prints it and however long it is; its bytes lie in
/// memory of their own, which is overwritten by `wipe()` and when the last reference goes away. Safe to use from any thread.
public final class Secret: Sendable {
  private let memory: Lock<SecretMemory>

  /// Keeps a copy of the text. The text itself is beyond reach: let go of it.
  ///
  /// - Parameter text: what nobody is to see.
  public convenience init(_ text: String) {
    self.init(bytes: text.utf8)
  }

  /// Keeps a copy of the bytes.
  ///
  /// - Parameter bytes: what nobody is to see.
  public init(bytes: some Collection<UInt8> & Sendable) {
    memory = Lock(SecretMemory(copying: bytes))
  }

  /// Whether it has been wiped; then there are no bytes.
  public var isWiped: Bool { memory.withLock { $0.isWiped } }

  /// Overwrites the bytes with zeros: at once, or when the last of the calls that are reading them at this moment returns. A call that
  /// comes later finds no bytes.
  public func wipe() {
    memory.withLock { $0.wipe() }
  }

  /// Lends the bytes, without copying them. What `body` copies, `body` has to wipe.
  ///
  /// - Parameter body: is given the bytes, none if the secret has been wiped. It may take its time: no lock is held.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withBytes<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
    let bytes = memory.withLock { UnsafeBufferPointer($0.lend()) }
    defer { memory.withLock { $0.takeBack() } }
    return try body(bytes.span)
  }

  /// Lends the bytes as a C string, without copying them, as `crypt(3)` takes it. It ends at the first NUL.
  ///
  /// - Parameter body: is given the C string, valid until it returns; empty if the secret has been wiped.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = memory.withLock { UnsafeBufferPointer($0.lend(terminated: true)) }
    defer { memory.withLock { $0.takeBack() } }
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return try body("") }
    return try body(start.assumingMemoryBound(to: CChar.self))
  }

  /// Lends the secret as text. This makes a copy that cannot be wiped: prefer `withBytes` or `withCString`.
  ///
  /// - Parameter body: is given the text, bytes that are no UTF-8 repaired; empty if the secret has been wiped.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withString<Result, Failure: Error>(_ body: (String) throws(Failure) -> Result) throws(Failure) -> Result {
    let text = withBytes { bytes in bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
    return try body(text)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Six dots.
  public var description: String { "••••••" }

  /// Six dots.
  public var debugDescription: String { description }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
