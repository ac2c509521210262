import Glibc

/// A directory of this process in which a program has another name, where no package has made one.
enum LinkedCommands {
  /// Returns a directory with `ask` as a link to a program; nil if there is no such program.
  static func directory(of program: String) -> String? {
    guard access(program, X_OK) == 0 else { return nil }
    guard let path = try? RuntimeDirectory.path() else { return nil }
    let commands = "\(path)/commands-\(getpid())"
    mkdir(commands, 0o700)
    unlink("\(commands)/ask")
    guard symlink(program, "\(commands)/ask") == 0 else { return nil }
    return commands
  }

  /// Takes the directory away, if this process has made one.
  static func remove() {
    guard let path = try? RuntimeDirectory.path() else { return }
    unlink("\(path)/commands-\(getpid())/ask")
    rmdir("\(path)/commands-\(getpid())")
  }
}
