import FoundationEssentials
import Glibc

/// A file in its own folder, both of which are removed when it is no longer referenced.
final class TemporaryFile: Sendable {
  let folder: String
  let path: String

  init(_ text: String?, mode: mode_t = 0o600) throws {
    folder = "/tmp/accounts-\(UUID().uuidString)"
    path = folder + "/accounts.json"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    if let text { try write(text, mode: mode) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Replaces the file the way an editor does.
  func write(_ text: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    chmod(path, mode)
  }

  var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

  /// The names of all files in the folder.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

  var status: stat {
    var status = stat()
    stat(path, &status)
    return status
  }
}
