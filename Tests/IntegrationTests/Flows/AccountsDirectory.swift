import Foundation

/// A directory of its own for a file of accounts; removed when nothing refers to it.
final class AccountsDirectory: Sendable {
  private let directory: URL

  /// The path of the file.
  var file: String { directory.appending(path: "accounts.json").path }

  /// - Parameter users: Their names and hashes.
  /// - Throws: When it cannot be written.
  init(users: [String: String]) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let content = try JSONEncoder().encode(["users": users.mapValues { ["hash": $0] }])
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: file, contents: content, attributes: attributes) else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// What is in the files that are there now.
  var contents: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }
}
