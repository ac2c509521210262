import Platform

/// A confidential value that a user typed, such as a password or a PIN.
///
/// It cannot be encoded, compared or used as a key. It always prints as six dots, regardless of its length. Its bytes
/// are in separate memory, which `wipe()` or the release of the last reference overwrites. Safe to use from any thread.
public final class Secret: Sendable {
  private let memory: Lock<SecretMemory>

  /// Copies a string. The original string cannot be wiped, so do not keep it.
  ///
  /// - Parameter text: the confidential string.
  public convenience init(_ text: String) {
    self.init(bytes: text.utf8)
  }

  /// Copies bytes.
  ///
  /// - Parameter bytes: the confidential bytes.
  public init(bytes: some Collection<UInt8>) {
    memory = Lock(SecretMemory(copying: bytes))
  }

  /// Copies another secret. Wiping either does not affect the other.
  ///
  /// - Parameter other: the secret to copy; the copy of a wiped one is empty.
  public convenience init(copying other: Secret) {
    let bytes = other.memory.withLock { UnsafeBufferPointer($0.lend()) }
    defer { other.memory.withLock { $0.takeBack() } }
    self.init(bytes: bytes)
  }

  /// Returns whether another secret has the same bytes. The time does not depend on the position of the first difference.
  ///
  /// - Parameter other: the secret to compare with, for example the password that was typed a second time.
  /// - Returns: whether the bytes are the same; false if either has been wiped.
  public func matches(_ other: Secret) -> Bool {
    guard !isWiped, !other.isWiped else { return false }
    return withBytes { one in
      other.withBytes { two in
        guard one.count == two.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ two[index] }
        return difference == 0
      }
    }
  }

  /// Whether the secret has been wiped. A wiped secret has no bytes.
  public var isWiped: Bool { memory.withLock { $0.isWiped } }

  /// Overwrites the bytes with zeros, either immediately or when the last call that is currently reading them returns.
  /// Later calls find no bytes.
  public func wipe() {
    memory.withLock { $0.wipe() }
  }

  /// Calls a closure with the bytes, without copying them. The closure must wipe any copy that it makes.
  ///
  /// - Parameter body: receives the bytes, or none if the secret has been wiped. It may run for long: no lock is held.
  /// - Returns: the value that `body` returns.
  /// - Throws: the error that `body` throws.
  public func withBytes<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
    let bytes = memory.withLock { UnsafeBufferPointer($0.lend()) }
    defer { memory.withLock { $0.takeBack() } }
    return try body(bytes.span)
  }

  /// Calls a closure with the bytes as a C string, as `crypt(3)` takes it, without copying them. The string ends at the
  /// first NUL.
  ///
  /// - Parameter body: receives the C string, which is valid until `body` returns; empty if the secret has been wiped.
  /// - Returns: the value that `body` returns.
  /// - Throws: the error that `body` throws.
  public func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = memory.withLock { UnsafeBufferPointer($0.lend(terminated: true)) }
    defer { memory.withLock { $0.takeBack() } }
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return try body("") }
    return try body(start.assumingMemoryBound(to: CChar.self))
  }

  /// Calls a closure with the secret as a string. This makes a copy that cannot be wiped; prefer `withBytes` or
  /// `withCString`.
  ///
  /// - Parameter body: receives the string, with invalid UTF-8 repaired; empty if the secret has been wiped.
  /// - Returns: the value that `body` returns.
  /// - Throws: the error that `body` throws.
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

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes that are overwritten before they are deallocated.
///
/// `@unchecked Sendable`, because this noncopyable value is the only owner of the bytes. The lock of the ``Secret``
/// that contains it guards lent bytes.
struct SecretMemory: ~Copyable, @unchecked Sendable {
  /// The bytes, followed by a NUL. The memory stays allocated for the lifetime of this value, so that a reader's pointer stays
  /// valid.
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private var readers = 0
  private(set) var isWiped = false

  init(copying bytes: some Collection<UInt8>) {
    storage = .allocate(capacity: bytes.count + 1)
    storage.initialize(repeating: 0)
    _ = UnsafeMutableBufferPointer(rebasing: storage.dropLast()).update(from: bytes)
  }

  deinit {
    Self.overwrite(storage)
    storage.deallocate()
  }

  /// Lends the bytes until `takeBack()` is called.
  mutating func lend(terminated: Bool = false) -> UnsafeMutableBufferPointer<UInt8> {
    readers += 1
    guard !isWiped else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return terminated ? storage : UnsafeMutableBufferPointer(rebasing: storage.dropLast())
  }

  mutating func takeBack() {
    readers -= 1
    overwriteIfUnused()
  }

  mutating func wipe() {
    isWiped = true
    overwriteIfUnused()
  }

  private func overwriteIfUnused() {
    if isWiped && readers == 0 { Self.overwrite(storage) }
  }

  /// Uses `explicit_bzero` or `memset_s`, because the compiler may remove ordinary stores to memory that is not read
  /// again.
  private static func overwrite(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }
}
