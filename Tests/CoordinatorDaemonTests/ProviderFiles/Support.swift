import Foundation

@testable import ProviderFiles

/// A temporary directory with files, removed together with this object.
final class Directory: Sendable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("providers-\(UUID().uuidString)").path

  /// Writes files, given by their paths below the root.
  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for (path, text) in files {
      let url = URL(fileURLWithPath: "\(root)/\(path)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Reads one file.
  func read(_ name: String) -> ProviderFile.Reading { ProviderFile.read("\(root)/\(name)") }

  /// Returns the problems of a file, with paths relative to the root.
  func problems(_ name: String) -> [String] { read(name).problems.map { relative($0.description) } }

  func relative(_ text: String) -> String { text.replacing(root + "/", with: "") }
}
