import Glibc
import Platform
import ProgramQuestions

/// The socket to which apt writes its progress, if the program is apt itself. Another program that starts apt may close the
/// descriptor, and apt would then write to another file.
struct AptChannel {
  /// The number of the descriptor in apt.
  private static let number: Int32 = 63
  private static let commands: Set<String> = ["apt", "apt-get", "aptitude"]

  /// This process's end.
  let descriptor: Int32
  private let other: Int32

  /// Opens a channel; returns nil if the program is not apt, or the system has no descriptor left.
  init?(for program: [ProgramText]) {
    guard let command = program.first?.string.bytes.split(separator: "/").last, Self.commands.contains(String(command)) else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    // The program inherits the duplicate.
    guard fcntl(Self.number, F_GETFD) < 0, dup2(ends[1], Self.number) == Self.number, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
    else {
      for end in ends { close(end) }
      return nil
    }
    (descriptor, other) = (ends[0], ends[1])
  }

  /// Returns the program with the option that makes apt use the channel.
  func arguments(of program: [ProgramText]) -> [ProgramText] {
    program.prefix(1) + ["-o", ProgramText("APT::Status-Fd=\(Self.number)")] + program.dropFirst()
  }

  /// Closes this process's copy of the program's end.
  func passOn() {
    close(other)
    close(Self.number)
  }
}
