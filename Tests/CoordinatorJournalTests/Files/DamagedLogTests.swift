import CoordinatorKit
import Foundation
import TestBus
import Testing

@testable import CoordinatorJournal

@Suite("Write-ahead logs left behind by a kill", .timeLimit(.minutes(5)))
struct DamagedLogTests {
  let shelf: Shelf
  private let count: UInt64 = 20

  init() throws { shelf = try Shelf() }

  /// Makes a database of roots 1 to ``count`` with its log, and returns the log's size after each root.
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

  @Test("An intact write-ahead log is recovered completely")
  func wholeLogIsRecovered() async throws {
    let (copy, _) = try await leave()
    #expect(try await copy.open().roots().live.count == Int(count))
  }

  @Test("A truncated write-ahead log yields every transition before the cut and none in part", arguments: 0..<8)
  func truncatedLogKeepsEarlierTransitions(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (copy, sizes) = try await leave()
    let size = Int.random(in: (sizes.first ?? 0)...(sizes.last ?? 0), using: &generator)
    try copy.damage("journal.sqlite-wal") { $0 = $0.prefix(size) }
    let journal = try copy.open()
    let roots = try await journal.roots().live
    #expect(roots.count == sizes.count { $0 <= size })
    for root in roots { #expect(try await journal.tree(of: root) != nil) }
  }

  @Test("A damaged write-ahead log yields every transition before the damage and none in part", arguments: 0..<8)
  func damagedLogKeepsEarlierTransitions(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (copy, sizes) = try await leave()
    let position = Int.random(in: (sizes.first ?? 0)..<(sizes.last ?? 0), using: &generator)
    try copy.damage("journal.sqlite-wal") { $0[position] ^= 0x55 }
    let journal = try copy.open()
    let roots = try await journal.roots().live
    #expect(roots.count == sizes.count { $0 <= position })
    for root in roots { #expect(try await journal.tree(of: root) != nil) }
  }
}
