import Glibc
import Platform
import ScriptEngine

/// Who may have written a script that is executed.
package enum ScriptTrust: Sendable, Hashable {
  /// The user of this process, or root.
  case own
  /// Root: users take the questions of the script for those of the system.
  case system
  /// Root, and no other user can have replaced the file or a directory above it: the script runs as root.
  case root
}

/// A script that was opened, and that only trusted users can have written. What it says of the file comes from the descriptor,
/// so a file that replaces it afterwards changes nothing.
struct TrustedFile: ~Copyable {
  /// The maximum number of bytes of a script.
  private static let maxSize = 4 << 20

  private let descriptor: Int32
  let status: stat

  /// Opens a file.
  ///
  /// A mode that keeps the group from writing also keeps out everyone whom an access control list names: its mask is the mode of
  /// the group (acl(5)).
  ///
  /// - Parameters:
  ///   - path: the path of the file; absolute for ``ScriptTrust/root``.
  ///   - trust: who may have written it; nil for anyone.
  /// - Throws: ``UnreadableScript``.
  init(_ path: String, _ trust: ScriptTrust?) throws(UnreadableScript) {
    let file = trust == .root ? try Self.walk(to: path) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw UnreadableScript("cannot be read: \(String(cString: strerror(errno)))") }
    var status = stat()
    let isKnown = fstat(file, &status) == 0
    if let problem = isKnown ? Self.problem(status, trust) : "cannot be read: \(String(cString: strerror(errno)))" {
      close(file)
      throw UnreadableScript(problem)
    }
    (descriptor, self.status) = (file, status)
  }

  private static func problem(_ status: stat, _ trust: ScriptTrust?) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
    guard let trust else { return nil }
    guard status.st_uid == 0 || trust == .own && status.st_uid == geteuid() else {
      return "belongs to another user, and is ignored"
    }
    return status.st_mode & 0o022 == 0 ? nil : "can be written by others, and is ignored; chmod go-w would help"
  }

  deinit { close(descriptor) }

  /// Opens a file without following a symbolic link, in directories that only root can change.
  ///
  /// Then no other user can exchange the file, or a directory above it, before the system executes it by its path.
  private static func walk(to path: String) throws(UnreadableScript) -> Int32 {
    var parts = path.bytes.split(separator: "/").map(String.init)
    guard path.bytes.hasPrefix("/"), let file = parts.popLast() else { throw UnreadableScript("is not an absolute path") }
    var directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if directory >= 0 { close(directory) } }
    var place = ""
    try check(directory, "/")
    for part in parts {
      place += "/\(part)"
      let next = openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let isLink = next < 0 && [ENOTDIR, ELOOP].contains(errno)
      close(directory)
      directory = next
      guard part != "..", !isLink else {
        throw UnreadableScript("runs as root, and is ignored: \(place) leads elsewhere, as a symbolic link does")
      }
      try check(directory, place)
    }
    let opened = openat(directory, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 || errno != ELOOP else {
      throw UnreadableScript("runs as root, and is ignored: it is a symbolic link")
    }
    return opened
  }

  private static func check(_ directory: Int32, _ place: String) throws(UnreadableScript) {
    var status = stat()
    guard directory >= 0, fstat(directory, &status) == 0 else {
      throw UnreadableScript("cannot be read: \(place): \(String(cString: strerror(errno)))")
    }
    guard status.st_uid == 0 else { throw UnreadableScript("runs as root, and is ignored: \(place) does not belong to root") }
    guard status.st_mode & 0o022 == 0 else {
      throw UnreadableScript(
        "runs as root, and is ignored: others than root can write to \(place); chmod go-w \(place) would help")
    }
  }

  /// The content of the file, at most 4 MiB.
  ///
  /// - Throws: ``UnreadableScript``.
  func content() throws(UnreadableScript) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < Self.maxSize {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw UnreadableScript("cannot be read: \(String(cString: strerror(errno)))") }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}

extension Script {
  /// Checks a script of root again, immediately before its process starts: what is executed is what was read.
  ///
  /// - Throws: ``ScriptCrash``.
  func checkBeforeStart() throws(ScriptCrash) {
    guard trust == .root else { return }
    do throws(UnreadableScript) {
      let file = try TrustedFile(path, .root)
      guard FileStamp(file.status) == stamp else { throw UnreadableScript("has changed since it was read") }
    } catch {
      throw ScriptCrash("\(path): \(error)")
    }
  }
}
