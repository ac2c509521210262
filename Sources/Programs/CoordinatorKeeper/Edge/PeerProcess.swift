import CPrograms
import Glibc

/// The process at the other end of a connection.
struct PeerProcess {
  private let id: pid_t

  init(of connection: Int32) { id = coordinatord_peer_process(connection) }

  /// The command of the process that started it; empty if unknown.
  var caller: String {
    guard let parent = ProcessTable.parent(of: id) else { return "" }
    var name = Files.content("/proc/\(parent)/comm")
    if name.last == 0x0A { name.removeLast() }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns a variable of its environment; empty if the variable is not set, or may not be read.
  func variable(_ name: String) -> String {
    let prefix = Array("\(name)=".utf8)
    let entry = Files.content("/proc/\(id)/environ").split(separator: 0).first { $0.starts(with: prefix) }
    return entry.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) } ?? ""
  }
}
