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
