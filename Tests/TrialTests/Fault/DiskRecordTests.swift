import CFaultPlan
import Testing

@testable import faults

@Suite("The recording of file operations", .timeLimit(.minutes(5)))
struct DiskRecordTests {
  private static func bytes(
    _ operation: FileOperation, handle: UInt64 = 0, begin: UInt64 = 0, offset: UInt64 = 0, name: String = "", second: String = "",
    data: [UInt8] = []
  ) -> [UInt8] {
    var head = fault_record()
    (head.sequence, head.operation, head.handle, head.begin, head.offset) = (7, operation.rawValue, handle, begin, offset)
    (head.name_length, head.second_length) = (UInt32(name.utf8.count), UInt32(second.utf8.count))
    head.data_length = UInt32(data.count)
    return withUnsafeBytes(of: head) { Array($0) } + Array(name.utf8) + Array(second.utf8) + data
  }

  @Test("A recording lists the file operations in their order")
  func recordListsOperationsInOrder() throws {
    let bytes =
      Self.bytes(.create, name: "state/db") + Self.bytes(.write, handle: 1, offset: 512, data: [1, 2, 3])
      + Self.bytes(.sync, handle: 1, begin: 2) + Self.bytes(.rename, name: "a", second: "b")
      + Self.bytes(.truncate, handle: 1, offset: 4)
    #expect(
      try DiskRecord.all(in: bytes).map(\.change) == [
        .open(name: "state/db", isNew: true), .write(handle: 1, offset: 512, data: [1, 2, 3]), .sync(handle: 1, begin: 2),
        .rename(name: "a", to: "b"), .truncate(handle: 1, size: 4),
      ])
  }

  @Test("A recording that is truncated or contains an operation that is never recorded is refused")
  func malformedRecordIsRefused() {
    let bytes = Self.bytes(.write, handle: 1, data: [1, 2, 3])
    for count in 1..<bytes.count {
      #expect(throws: DiskRecord.Malformed.self) { try DiskRecord.all(in: Array(bytes.prefix(count))) }
    }
    #expect(throws: DiskRecord.Malformed.self) { try DiskRecord.all(in: Self.bytes(.read, handle: 1)) }
  }
}
