#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes that are overwritten before they are given back.
///
/// `@unchecked Sendable`, because the bytes belong to this value alone, and it cannot be copied: where it goes, they go. What is lent
/// is guarded by the lock of the ``Secret`` that holds it.
struct SecretMemory: ~Copyable, @unchecked Sendable {
  /// The bytes and a NUL after them. Stays allocated for as long as this value lives, so that a reader never loses it.
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private var readers = 0
  private(set) var isWiped = false

  init(copying bytes: some Collection<UInt8> & Sendable) {
    storage = .allocate(capacity: bytes.count + 1)
    storage.initialize(repeating: 0)
    _ = UnsafeMutableBufferPointer(rebasing: storage.dropLast()).update(from: bytes)
  }

  deinit {
    Self.overwrite(storage)
    storage.deallocate()
  }

  /// The bytes, to be taken back by `takeBack()`.
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

  /// The compiler may leave out stores to memory that nobody reads again; it may not leave out this call.
  private static func overwrite(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }
}
