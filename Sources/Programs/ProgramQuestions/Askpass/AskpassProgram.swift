import Platform

/// A program that asks through an askpass program.
package enum AskpassProgram: String, Sendable, Hashable {
  case ssh, sudo, git
  /// Any other program.
  case other

  /// Recognizes the asking program.
  ///
  /// - Parameter command: the name or path of the program that started the askpass program.
  package init(command: String) {
    let name = command.bytes.split(separator: "/").last.map(String.init) ?? command
    switch name {
    case "sudo", "sudo-rs", "sudoedit": self = .sudo
    case "git": self = .git
    case "ssh", "scp", "sftp": self = .ssh
    default: self = name.bytes.hasPrefix("ssh-") ? .ssh : name.bytes.hasPrefix("git-") ? .git : .other
    }
  }
}
