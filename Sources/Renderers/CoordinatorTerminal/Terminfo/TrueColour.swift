import Glibc
import Platform

/// Colors of 24 bits for terminals that have them, but whose description says 256 or fewer.
///
/// ncurses sends what the description of the terminal says, and `COLORTERM` is not part of it. So ncurses gets a copy of
/// the description with these colors, in the form `TERMINFO=hex:…` (terminfo(5)). If anything about it is unusual, or if
/// ncurses does not take it, ncurses reads the description of the system, and the nearest of its colors are drawn.
public enum TrueColour {
  /// Gives ncurses the description. To be called before there are other threads, which might read the environment.
  ///
  /// - Parameter environment: environment of the process.
  public static func prepare(environment: [String: String]) {
    guard let description = description(environment: environment) else { return }
    setenv("TERMINFO", description, 1)
  }

  /// The value of `TERMINFO`; nil if ncurses is to read the description of the system.
  static func description(environment: [String: String]) -> String? {
    guard TerminalAbilities(environment: environment, isUnicode: true).hasTrueColour, let name = environment["TERM"],
      let bytes = places(environment).lazy.compactMap({ read(name, in: $0) }).first,
      let entry = TerminfoEntry(bytes)?.withDirectColours
    else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    let hex = entry.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "hex:" + String(decoding: hex, as: UTF8.self)
  }

  /// The directories where ncurses looks for descriptions, in its order.
  private static func places(_ environment: [String: String]) -> [String] {
    let system = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    let listed = environment["TERMINFO_DIRS"]?.bytes.split(separator: ":", omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? system : [String($0)] }
    return [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }].compactMap(\.self) + (listed ?? []) + system
  }

  /// The size of the largest file that is read, in bytes.
  private static let largest = 32_768

  private static func read(_ name: String, in directory: String) -> [UInt8]? {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")), directory.bytes.hasPrefix("/") else { return nil }
    // The second form is that of systems that do not tell letters from capitals.
    for folder in [String(decoding: [first], as: UTF8.self), String(first, radix: 16)] {
      let file = open("\(directory)/\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: largest)
      let count = Glibc.read(file, &bytes, bytes.count)
      return count > 0 && count < largest ? Array(bytes[..<count]) : nil
    }
    return nil
  }
}
