import CoordinatorKit
import Foundation
import Testing

@testable import CoordinatorJournal

@Suite("A write-ahead log that a kill left behind")
struct DamagedLogTests {
  let shelf: Shelf
  private let count: UInt64 = 20

  init() throws { shelf = try Shelf() }

  /// Leaves a database of roots 1 to ``count`` with a log, and the log's size after each root.
  private func leave() async throws -> (into: Shelf, sizes: [Int]) {
    let journal = try shelf.open()
    let copy = try Shelf()
    var sizes: [Int] = []
    for number in 1...count {
      try await journal.start(.sample("counter_\(number)", number))
      sizes.append(try Data(contentsOf: URL(filePath: shelf.path("journal.sqlite-wal"))).count)
    }
    for file in [Journal.fileName, "journal.sqlite-wal"] {
      try copy.make(file, try Data(contentsOf: URL(filePath: shelf.path(file))))
    }
    return (copy, sizes)
  }

  @Test("is taken over as a whole")
  func whole() async throws {
    let (copy, _) = try await leave()
    #expect(try await copy.open().roots().live.count == Int(count))
  }

  @Test("that is cut off anywhere gives back every transition before that, and no half of one", arguments: 0..<8)
  func cut(_ seed: Int) async throws {
    let (copy, sizes) = try await leave()
    let size = Int.random(in: (sizes.first ?? 0)...(sizes.last ?? 0))
    try copy.damage("journal.sqlite-wal") { $0 = $0.prefix(size) }
    let journal = try copy.open()
    let roots = try await journal.roots().live
    #expect(roots.count == sizes.count { $0 <= size })
    for root in roots { #expect(try await journal.tree(of: root) != nil) }
  }

  @Test("that is damaged anywhere gives back every transition before that, and no half of one", arguments: 0..<8)
  func damaged(_ seed: Int) async throws {
    let (copy, sizes) = try await leave()
    let position = Int.random(in: (sizes.first ?? 0)..<(sizes.last ?? 0))
    try copy.damage("journal.sqlite-wal") { $0[position] ^= 0x55 }
    let journal = try copy.open()
    let roots = try await journal.roots().live
    #expect(roots.count == sizes.count { $0 <= position })
    for root in roots { #expect(try await journal.tree(of: root) != nil) }
  }
}
