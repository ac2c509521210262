import Glibc

/// A directory of this process in which a program has another name, where no package has made one.
enum LinkedCommands {
  /// Returns a directory with `ask` as a link to a program; nil if there is no such program.
  static func directory(of program: String) -> String? {
    guard access(program, X_OK) == 0 else { return nil }
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(base)/coordinatord"
    mkdir(path, 0o700)
    let commands = "\(path)/commands-\(getpid())"
    mkdir(commands, 0o700)
    unlink("\(commands)/ask")
    guard symlink(program, "\(commands)/ask") == 0 else { return nil }
    return commands
  }
}
