import Glibc
import Platform

/// 24-bit colors for terminals that support them, but whose terminfo description declares 256 or fewer.
///
/// ncurses uses the colors in the terminfo description, and `COLORTERM` is not part of it. Therefore ncurses receives a copy of
/// the description with these colors, in the form `TERMINFO=hex:…` (terminfo(5)). If the description is unusual, or if ncurses
/// does not accept the copy, ncurses reads the system's description and draws the nearest of its colors.
public enum TrueColour {
  /// Provides the description to ncurses. Must be called before there are other threads, which might read the environment.
  ///
  /// - Parameter environment: environment of the process.
  public static func prepare(environment: [String: String]) {
    guard let description = description(environment: environment) else { return }
    setenv("TERMINFO", description, 1)
  }

  /// Returns the value of `TERMINFO`; nil if ncurses should read the system's description.
  static func description(environment: [String: String]) -> String? {
    guard TerminalAbilities(environment: environment, isUnicode: true).hasTrueColour, let name = environment["TERM"],
      let bytes = places(environment).lazy.compactMap({ read(name, in: $0) }).first,
      let entry = TerminfoEntry(bytes)?.withDirectColours
    else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    let hex = entry.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "hex:" + String(decoding: hex, as: UTF8.self)
  }

  /// Returns the directories in which ncurses searches descriptions, in its order.
  private static func places(_ environment: [String: String]) -> [String] {
    let system = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    let listed = environment["TERMINFO_DIRS"]?.bytes.split(separator: ":", omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? system : [String($0)] }
    return [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }].compactMap(\.self) + (listed ?? []) + system
  }

  /// The maximum size of a file that is read, in bytes.
  private static let largest = 32_768

  private static func read(_ name: String, in directory: String) -> [UInt8]? {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")), directory.bytes.hasPrefix("/") else { return nil }
    // The second form is for file systems that ignore case.
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
