import Glibc
import Platform

/// The name that distinguishes a terminal from others that show the same flow.
public enum TerminalName {
  /// The maximum length of each part, in characters.
  private static let longestPart = 24

  /// Returns the terminal and the user of this process: "pts/3, anna". Empty if neither is known.
  public static var current: String {
    name(terminal: terminal(of: STDIN_FILENO) ?? terminal(of: STDOUT_FILENO), user: user(getuid()))
  }

  /// Builds a name from the path of a terminal's device and a user's name.
  static func name(terminal: String?, user: String?) -> String {
    [terminal.map { path in path.bytes.dropping(prefix: "/dev/").map { String($0) } ?? path }, user].compactMap { part in
      part.map { String($0.printable.prefix(longestPart)) }.flatMap { $0.isEmpty ? nil : $0 }
    }.joined(separator: ", ")
  }

  private static func terminal(of descriptor: Int32) -> String? {
    var path = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &path, path.count) == 0 else { return nil }
    return text(path)
  }

  private static func user(_ id: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.pw_name else { return nil }
    return String(cString: name)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
