import Glibc

/// The environment of this process.
public enum Environment {
  /// Returns the value of a variable; nil if it is not set.
  ///
  /// Source: getenv(3).
  @Sendable public static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All variables, by name. U+FFFD replaces bytes that are not UTF-8; if a name occurs several times, the first value applies,
  /// as in getenv(3).
  public static var variables: [String: String] { variables(in: environ) }

  /// Returns the variables of a null-terminated list in the form of execve(2). Entries without an equals sign are omitted.
  static func variables(in entries: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String: String] {
    var variables: [String: String] = [:]
    var entry = entries
    while let text = entry.pointee {
      if let equals = strchr(text, Int32(UInt8(ascii: "="))) {
        let name = String(decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
        if variables[name] == nil { variables[name] = String(cString: equals + 1) }
      }
      entry += 1
    }
    return variables
  }

  /// The home directory: `$HOME`, or that of the user in the system's database; `/` if there is none.
  public static var homeDirectory: String {
    if let home = value(of: "HOME"), home.bytes.hasPrefix("/") { return home }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir else {
      return "/"
    }
    return String(cString: home)
  }

  /// The working directory; `/` if it has been removed.
  public static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }
}
