import Foundation

/// A temporary directory with an account file, removed when it is no longer referenced.
final class AccountsDirectory: Sendable {
  private let directory: URL

  /// The path of the account file.
  var file: String { directory.appending(path: "accounts.json").path }

  /// - Parameter users: the names and hashes of the users.
  /// - Throws: when the file cannot be written.
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

  /// The contents of all files in the directory.
  var contents: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }
}
