// CNCurses declares wcwidth, which glibc's header offers only with _XOPEN_SOURCE.
import CNCurses
import Glibc

extension Unicode.Scalar {
  /// The number of columns that the scalar occupies in a terminal: 0, 1 or 2, according to the C library, which ncurses uses
  /// too.
  var columns: Int {
    // Latin script needs no call; ncurses never gets control characters.
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    let known = Self.withWidths { wcwidth(wchar_t(truncatingIfNeeded: Int64(value))) }
    guard known < 0 else { return Int(known) }
    // Line separators do not print. For a scalar that the C library does not know, ncurses reserves one column.
    return value == 0x2028 || value == 0x2029 ? 0 : 1
  }

  /// The C library's own UTF-8 locale; nil if it is not installed. Never freed, and immutable, so that threads share it.
  private nonisolated(unsafe) static let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Calls a closure in a locale with the widths of Unicode, regardless of the locale of the process: tests and programs
  /// without a terminal set none. Without C.UTF-8, the process's locale applies, as it does in ncurses.
  private static func withWidths(_ body: () -> Int32) -> Int32 {
    guard let locale else { return body() }
    // Affects the current thread only.
    let former = uselocale(locale)
    defer { uselocale(former) }
    return body()
  }
}
