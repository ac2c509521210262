import Glibc
import Platform
import ProgramQuestions

/// The connection at which apt says how far it is, where the program is apt itself: what other programs start may have
/// closed the descriptor, and apt would write into another file then.
struct AptChannel {
  /// The number of the descriptor in apt.
  private static let number: Int32 = 63
  private static let commands: Set<String> = ["apt", "apt-get", "aptitude"]

  /// The end of this process.
  let descriptor: Int32
  private let other: Int32

  /// Opens a channel; nil if the program is not apt, or the system has no descriptor left.
  init?(for program: [ProgramText]) {
    guard let command = program.first?.string.bytes.split(separator: "/").last, Self.commands.contains(String(command)) else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    // The copy is passed on.
    guard fcntl(Self.number, F_GETFD) < 0, dup2(ends[1], Self.number) == Self.number, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
    else {
      for end in ends { close(end) }
      return nil
    }
    (descriptor, other) = (ends[0], ends[1])
  }

  /// The program with the option that has apt use the channel.
  func arguments(of program: [ProgramText]) -> [ProgramText] {
    program.prefix(1) + ["-o", ProgramText("APT::Status-Fd=\(Self.number)")] + program.dropFirst()
  }

  /// Leaves the other end to the program.
  func passOn() {
    close(other)
    close(Self.number)
  }
}
