import Glibc
import RendererKit

/// The program that `coordinatorctl exec` runs, and its settings.
public struct ProgramOrder: Sendable {
  /// The program and its arguments as bytes, each with a terminating zero.
  public var program: [[CChar]]
  /// The title above the screens of the program; nil for its command line.
  public var title: String?
  /// The name of the flow tree; nil for a name that the daemon chooses.
  public var token: String?
  /// Whether to start the program again if the flow of the token has ended.
  public var isFresh = false
  /// The path of a file with answers for `debconf-set-selections`.
  public var selections: String?

  /// The descriptors that only the program keeps open.
  var passed: [Int32] = []

  /// Creates an order for a program.
  ///
  /// - Parameter program: program and its arguments as bytes, each with a terminating zero.
  public init(program: [[CChar]]) { self.program = program }

  /// Returns the last arguments of this process unchanged: they need not be UTF-8.
  ///
  /// - Parameter count: number of arguments.
  /// - Returns: the arguments as bytes, each with a terminating zero.
  public static func words(_ count: Int) -> [[CChar]] {
    let all = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return all.suffix(count).compactMap { argument in
      argument.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
    }
  }

  /// The title above the screens of the program: one line, because a command line may be a script.
  var heading: String {
    let text =
      title ?? program.map { String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }.joined(separator: " ")
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").printable
    return line.count > Self.longestHeading ? line.prefix(Self.longestHeading - 1) + "…" : line
  }

  private static let longestHeading = 80

  /// The size of the program's terminal: that of this process's terminal, if there is one.
  var size: String {
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO]
    where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0 {
      return "\(min(size.ws_col, 1_000))x\(min(size.ws_row, 1_000))"
    }
    return "80x24"
  }
}
