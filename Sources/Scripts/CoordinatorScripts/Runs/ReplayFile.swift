import CScripts
import Glibc
import ScriptEngine

/// The file in memory from which the processes of a run take what is recorded.
final class ReplayFile: Sendable {
  /// The descriptor, which is not passed on by itself.
  let descriptor: Int32

  /// Creates the file of the first entries of a log; nil if the system has no descriptor left.
  init?(_ entries: some Collection<LogEntry>) {
    descriptor = coordinatord_memory_file("coordinator-log")
    let bytes = Self.bytes(entries)
    let isWritten =
      descriptor >= 0 && bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    if !isWritten { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How many operations the run has done until now, replayed ones included; nil if that cannot be read.
  var operations: Int? {
    var count: UInt32 = 0
    return pread(descriptor, &count, 4, 16) == 4 ? Int(UInt32(littleEndian: count)) : nil
  }

  /// The content of the file: see the script protocol.
  static func bytes(_ entries: some Collection<LogEntry>) -> [UInt8] {
    let header = 32
    var bytes = Array("ask-log1".utf8)
    bytes += withUnsafeBytes(of: UInt64(header).littleEndian) { Array($0) }
    bytes += [UInt8](repeating: 0, count: header - bytes.count)
    for entry in entries {
      guard let output = entry.output else { break }
      let digest = entry.ask.map { $0.digest.isEmpty ? "-" : $0.digest } ?? "-"
      bytes += Array(
        "\(entry.body.word) \(entry.name) \(digest) \(output.status) \(output.text.utf8.count)\n\(output.text)\n".utf8)
    }
    return bytes
  }
}
