import Glibc

/// Bytes on their way to the bus, in a buffer that grows.
///
/// Messages may contain secrets, so bytes are overwritten as soon as they are no longer needed, also when the buffer
/// moves because it grows.
struct WireBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes.
  private(set) var count = 0
  /// Where the message begins that is being appended: alignment is counted from there.
  var origin = 0

  /// Creates an empty buffer.
  ///
  /// - Parameter capacity: the number of bytes that fit before the buffer must grow.
  init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit {
    explicit_bzero(start, count)
    start.deallocate()
  }

  /// The bytes. Valid until the buffer changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Removes and overwrites all bytes. An unusually large buffer is released.
  mutating func clear() {
    explicit_bzero(start, count)
    (count, origin) = (0, 0)
    guard capacity > Self.usualCapacity else { return }
    start.deallocate()
    capacity = 4096
    start = .allocate(byteCount: capacity, alignment: 8)
  }

  /// Removes bytes at the beginning, and overwrites them.
  mutating func removeFirst(_ removed: Int) {
    let left = count - removed
    memmove(start, start + removed, left)
    explicit_bzero(start + left, removed)
    count = left
  }

  private static let usualCapacity = 1 << 16

  // MARK: Appending

  /// Reserves space for a number of bytes, counts them, and returns their address.
  @inline(__always)
  private mutating func extend(by added: Int) -> UnsafeMutableRawPointer {
    if capacity - count < added { grow(by: added) }
    defer { count += added }
    return start + count
  }

  @inline(never)
  private mutating func grow(by added: Int) {
    let wider = max(capacity * 2, count + added)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 8)
    memcpy(moved, start, count)
    explicit_bzero(start, count)
    start.deallocate()
    (start, capacity) = (moved, wider)
  }

  /// Appends a byte.
  @inline(__always)
  mutating func append(byte: UInt8) { extend(by: 1).storeBytes(of: byte, as: UInt8.self) }

  /// Appends a number at the next multiple of its size.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
    align(MemoryLayout<Number>.size)
    extend(by: MemoryLayout<Number>.size).storeBytes(of: number, as: Number.self)
  }

  /// Appends a text's length, its bytes and a terminating zero.
  mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    append(bytesOf: text)
    append(byte: 0)
  }

  /// Appends the bytes of a text without a length or a terminator.
  mutating func append(bytesOf text: String) {
    let wasAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if wasAppended == nil { for byte in text.utf8 { append(byte: byte) } }
  }

  /// Appends bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress, !bytes.isEmpty else { return }
    memcpy(extend(by: bytes.count), first, bytes.count)
  }

  /// Appends zeros until the next multiple of `alignment`, a power of two.
  @inline(__always)
  mutating func align(_ alignment: Int) {
    let padding = (origin - count) & (alignment - 1)
    if padding > 0 { memset(extend(by: padding), 0, padding) }
  }

  // MARK: Lengths

  /// Stores the number of bytes that were appended after `begin` in the four bytes at `offset`.
  mutating func patch(lengthSince begin: Int, at offset: Int) { patch(count - begin, at: offset) }

  /// Stores a length in the four bytes at `offset`.
  mutating func patch(_ length: Int, at offset: Int) {
    precondition(offset >= 0 && offset + 4 <= count, "a length outside of the buffer")
    start.storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: offset, as: UInt32.self)
  }

  /// Stores the number of bytes that were appended after the byte at `offset` in it.
  mutating func patchByte(at offset: Int) {
    precondition(offset >= 0 && offset < count, "a length outside of the buffer")
    start.storeBytes(of: UInt8(truncatingIfNeeded: count - offset - 1), toByteOffset: offset, as: UInt8.self)
  }
}
