import TestBus
import Testing

@testable import faults

@Suite("What a power cut leaves on the disk", .timeLimit(.minutes(5)))
struct DiskModelTests {
  private static let sector = FileImage.sector

  /// Returns a disk with a synced directory and in it a synced file, two sectors of `a`.
  private static func disk() -> DiskModel {
    var disk = DiskModel()
    disk.apply([
      .makeDirectory(name: "state"), .open(name: "state/db", isNew: true), write(2, "a", 0, 2 * sector),
      .sync(handle: 2, begin: 3),
      .open(name: "state", isNew: false), .sync(handle: 5, begin: 5),
    ])
    return disk
  }

  private static func write(_ handle: UInt64, _ letter: Character, _ offset: Int, _ count: Int) -> DiskRecord.Change {
    .write(handle: handle, offset: offset, data: Array(String(repeating: letter, count: count).utf8))
  }

  /// Returns the possible contents of a file after a power cut, with each sector as its first letter; nil if the file is
  /// missing.
  private static func left(
    of name: String = "state/db", on disk: DiskModel, _ losses: [DiskModel.Loss] = DiskModel.Loss.allCases
  ) -> Set<String?> {
    var found: Set<String?> = []
    for loss in losses {
      for seed in 0..<200 as Range<UInt64> {
        var generator = SeededGenerator(seed: seed)
        found.insert(disk.cut(loss, using: &generator)[name].map(letters))
      }
    }
    return found
  }

  private static func letters(_ image: FileImage) -> String {
    String(
      stride(from: 0, to: image.bytes.count, by: sector).map { start in
        image.bytes[start] == 0 ? "0" : Character(Unicode.Scalar(image.bytes[start]))
      })
  }

  @Test("Synced data survives every power cut")
  func syncedDataSurvives() {
    #expect(Self.left(on: Self.disk()) == ["aa"])
  }

  @Test("An unsynced write is there, dropped, or torn at a sector")
  func unsyncedWriteMayBeDroppedOrTorn() {
    var disk = Self.disk()
    disk.apply([Self.write(2, "b", 0, 2 * Self.sector)])
    #expect(Self.left(on: disk, [.everything]) == ["aa"])
    #expect(Self.left(on: disk, [.nothing]) == ["bb"])
    for loss in [DiskModel.Loss.tail, .sectors] { #expect(Self.left(on: disk, [loss]) == ["aa", "ab", "ba", "bb"]) }
    #expect(Self.left(on: disk, [.writes]) == ["aa", "bb"])
  }

  @Test("A later write may survive an earlier one, except in the mode that keeps their order")
  func laterWriteMaySurviveAnEarlierOne() {
    var disk = Self.disk()
    disk.apply([Self.write(2, "b", 0, Self.sector), Self.write(2, "c", Self.sector, Self.sector)])
    #expect(Self.left(on: disk, [.writes]) == ["aa", "ac", "ba", "bc"])
    #expect(Self.left(on: disk, [.tail]) == ["aa", "ba", "bc"])
  }

  @Test("A sector has the content of some moment, never an older write over a newer one")
  func sectorNeverRevertsOverANewerWrite() {
    var disk = Self.disk()
    disk.apply([Self.write(2, "b", 0, Self.sector), Self.write(2, "c", 0, Self.sector / 2)])
    let found = Set(
      (0..<200 as Range<UInt64>).flatMap { seed in
        DiskModel.Loss.allCases.map { loss in
          var generator = SeededGenerator(seed: seed)
          let bytes = disk.cut(loss, using: &generator)["state/db"]?.bytes ?? []
          return [bytes.first, bytes.dropFirst(Self.sector - 1).first].map { $0.map { Character(Unicode.Scalar($0)) } }
        }
      })
    #expect(found == [["a", "a"], ["b", "b"], ["c", "b"]])
  }

  @Test("A sync covers only the writes before its beginning")
  func syncCoversOnlyEarlierWrites() {
    var disk = Self.disk()
    disk.apply([
      Self.write(2, "b", 0, Self.sector), Self.write(2, "c", Self.sector, Self.sector), .sync(handle: 2, begin: 7),
    ])
    #expect(Self.left(on: disk) == ["ba", "bc"])
  }

  @Test("An unsynced size may be the old one, and the space beyond it is zero until it is written")
  func unsyncedSizeMayBeTheOldOne() {
    var longer = Self.disk()
    longer.apply([Self.write(2, "b", 3 * Self.sector, Self.sector)])
    #expect(Self.left(on: longer).isSubset(of: ["aa", "aa0b", "aa00"]))
    #expect(Self.left(on: longer).isSuperset(of: ["aa", "aa0b"]))
    var shorter = Self.disk()
    shorter.apply([.truncate(handle: 2, size: Self.sector)])
    #expect(Self.left(on: shorter, [.everything]) == ["aa"])
    #expect(Self.left(on: shorter, [.nothing]) == ["a"])
    #expect(Self.left(on: shorter).isSuperset(of: ["aa", "a"]))
  }

  @Test("A file with an unsynced name may be missing, and a removed one may be back")
  func unsyncedNameMayBeMissingOrBack() {
    var disk = Self.disk()
    disk.apply([
      .open(name: "state/new", isNew: true), Self.write(7, "n", 0, Self.sector), .sync(handle: 7, begin: 8),
      .unlink(name: "state/db"),
    ])
    #expect(Self.left(of: "state/new", on: disk) == [nil, "n"])
    #expect(Self.left(of: "state/db", on: disk) == [nil, "aa"])
    disk.apply([.open(name: "state", isNew: false), .sync(handle: 11, begin: 11)])
    #expect(Self.left(of: "state/new", on: disk) == ["n"])
    #expect(Self.left(of: "state/db", on: disk) == [nil])
  }

  @Test("A file is renamed as a whole or not at all")
  func renameOfAFileIsAtomic() {
    var disk = Self.disk()
    disk.apply([.rename(name: "state/db", to: "state/aside")])
    for seed in 0..<200 as Range<UInt64> {
      for loss in DiskModel.Loss.allCases {
        var generator = SeededGenerator(seed: seed)
        #expect(disk.cut(loss, using: &generator).count == 1, "seed \(seed)")
      }
    }
    #expect(Self.left(of: "state/aside", on: disk) == [nil, "aa"])
  }

  @Test("A file that is opened again is the same one, and a new file of its name is not")
  func reopenedFileIsTheSame() {
    var disk = Self.disk()
    disk.apply([.open(name: "state/db", isNew: false), Self.write(7, "b", 0, Self.sector)])
    #expect(disk.current["state/db"].map(Self.letters) == "ba")
    disk.apply([.unlink(name: "state/db"), .open(name: "state/db", isNew: true), Self.write(10, "c", 0, Self.sector)])
    #expect(disk.current["state/db"].map(Self.letters) == "c")
    // A write through the old descriptor goes to a file without a name.
    disk.apply([Self.write(7, "d", 0, Self.sector)])
    #expect(disk.current["state/db"].map(Self.letters) == "c")
  }

  @Test("The same seed leads to the same power cut")
  func sameSeedCutsTheSame() {
    var disk = Self.disk()
    disk.apply((0..<20).map { Self.write(2, "b", $0 % 5 * Self.sector, Self.sector) })
    for loss in DiskModel.Loss.allCases {
      var (one, other) = (SeededGenerator(seed: 5), SeededGenerator(seed: 5))
      #expect(disk.cut(loss, using: &one) == disk.cut(loss, using: &other))
    }
  }
}

extension DiskModel {
  /// Applies changes, numbered consecutively.
  fileprivate mutating func apply(_ changes: [DiskRecord.Change]) {
    for change in changes { apply(DiskRecord(newest + 1, change)) }
  }
}
