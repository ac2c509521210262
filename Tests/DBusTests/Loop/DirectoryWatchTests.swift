import Foundation
import TestBus
import Testing

@testable import DBus

@Suite("Watches on directories", .timeLimit(.minutes(5)))
struct DirectoryWatchTests {
  private let root: String
  private let loop = EventLoop()
  private let changes = Observed(0)

  init() throws {
    root = FileManager.default.temporaryDirectory.path + "/watch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  private func begin(_ directories: String...) -> DirectoryWatch? {
    DirectoryWatch(directories.map { "\(root)/\($0)" }, on: loop, delay: .milliseconds(20)) { [changes] in
      changes.update { $0 += 1 }
    }
  }

  private func make(_ directory: String) throws {
    try FileManager.default.createDirectory(atPath: "\(root)/\(directory)", withIntermediateDirectories: true)
  }

  private func write(_ name: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)")) }

  /// Runs a closure, and waits until a change has been reported since.
  private func expectChange(_ body: () throws -> Void) async throws {
    let before = changes.value
    try body()
    try await changes.until { $0 > before }
  }

  @Test("Files that are written, replaced, moved and removed are reported, and so are links")
  func changesAreReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try make("a")
    let watch = try #require(begin("a"))
    try await expectChange { try write("a/one") }
    try await expectChange { try write("a/one") }
    try await expectChange { try FileManager.default.moveItem(atPath: "\(root)/a/one", toPath: "\(root)/a/two") }
    try await expectChange { try FileManager.default.removeItem(atPath: "\(root)/a/two") }
    try await expectChange {
      try FileManager.default.createSymbolicLink(atPath: "\(root)/a/three", withDestinationPath: "/dev/null")
    }
    withExtendedLifetime(watch) {}
  }

  @Test("A directory that does not exist is watched as soon as it does, at any depth, and again after it was removed")
  func missingDirectories() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let watch = try #require(begin("a/b/c", "a/d"))
    try await expectChange { try make("a") }
    try await expectChange { try make("a/b/c") }
    try await expectChange { try write("a/b/c/file") }
    try await expectChange { try FileManager.default.removeItem(atPath: "\(root)/a/b") }
    try await expectChange { try make("a/b/c") }
    try await expectChange { try write("a/b/c/file") }
    try await expectChange { try make("a/d") }
    try await expectChange { try write("a/d/file") }
    withExtendedLifetime(watch) {}
  }

  @Test("What happens beside a watched directory, or after the watch has been released, is not reported")
  func nothingElseIsReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try make("a")
    let first = try #require(begin("a", "b/c"))
    let other = Observed(0)
    let second = DirectoryWatch([root], on: loop, delay: .milliseconds(20)) { other.update { $0 += 1 } }
    try write("beside")
    try await other.until { $0 > 0 }
    #expect(changes.value == 0)
    withExtendedLifetime((first, second)) {}
  }
}
