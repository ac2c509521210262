import Glibc
import Platform
import ProgramQuestions

/// The directory of a program's sockets. Only the program's user can enter it; if the program is shared, other users can reach
/// the sockets in it.
struct ProgramDirectory {
  let path: String
  private let lock: Int32

  /// Creates the directory.
  ///
  /// - Parameters:
  ///   - id: the id of the program.
  ///   - isShared: whether another user may reach the control socket. Only root can share a program.
  /// - Throws: ``KeeperFailure``, if other users could write to the directory, or a keeper with this id runs.
  init(id: String, isShared: Bool = false) throws(KeeperFailure) {
    path = "\(try isShared ? Self.ofSharedPrograms() : Self.ofPrograms())/\(id)"
    let mode: mode_t = isShared ? 0o711 : 0o700
    var lock = Int32(-1)
    // An earlier keeper may be removing the directory.
    for _ in 0..<10 {
      try Self.make(path, mode)
      lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard lock >= 0 || errno == ENOENT else { throw .system("\(path)/lock") }
      if lock < 0 { continue }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        close(lock)
        throw KeeperFailure("a program with the name '\(id)' is running already")
      }
      var opened = stat(), named = stat()
      if fstat(lock, &opened) == 0, stat("\(path)/lock", &named) == 0, opened.st_ino == named.st_ino { break }
      close(lock)
      lock = -1
    }
    guard lock >= 0 else { throw KeeperFailure("\(path) cannot be created") }
    self.lock = lock
  }

  /// The directory of all programs of this user.
  private static func ofPrograms() throws(KeeperFailure) -> String {
    let user = geteuid()
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? (user == 0 ? "/run" : "/run/user/\(user)")
    guard base.bytes.hasPrefix("/") else { throw KeeperFailure("XDG_RUNTIME_DIR must be an absolute path") }
    let directory = "\(base)/coordinatord"
    try make(directory)
    try make("\(directory)/programs")
    return "\(directory)/programs"
  }

  /// The directory of programs that root shares with other users.
  private static func ofSharedPrograms() throws(KeeperFailure) -> String {
    guard geteuid() == 0 else {
      throw KeeperFailure("only programs of root can be shown by the daemon of another user")
    }
    let directory = "/run/coordinator-programs"
    try make(directory, 0o711)
    return directory
  }

  private static func make(_ path: String, _ mode: mode_t = 0o700) throws(KeeperFailure) {
    if mkdir(path, mode) != 0, errno != EEXIST { throw .system("\(path) cannot be created") }
    if mode != 0o700 { chmod(path, mode) }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 & ~mode == 0
    else { throw KeeperFailure("\(path) must be a directory that only this user can enter (mode \(String(mode, radix: 8)))") }
  }

  /// Creates links to a shim in a directory for PATH.
  ///
  /// - Parameters:
  ///   - names: the names of the programs that the shim replaces.
  ///   - shim: the shim.
  /// - Returns: the path of the directory.
  /// - Throws: ``KeeperFailure``.
  func link(_ names: [String], to shim: String) throws(KeeperFailure) -> String {
    let commands = "\(path)/bin"
    if mkdir(commands, 0o700) != 0, errno != EEXIST { throw .system("\(commands) cannot be created") }
    for name in names {
      unlink("\(commands)/\(name)")
      guard symlink(shim, "\(commands)/\(name)") == 0 else { throw .system("\(commands)/\(name) cannot be created") }
    }
    return commands
  }

  /// Removes the directory and the files that keepers create in it.
  func remove() {
    for name in ["control", "shim", "debconf"] + ProgramEnvironment.shims.map({ "bin/\($0)" }) { unlink("\(path)/\(name)") }
    rmdir("\(path)/bin")
    unlink("\(path)/lock")
    rmdir(path)
    close(lock)
  }
}

/// The environment of a kept program.
enum ProgramEnvironment {
  /// The names of the programs that the shim replaces.
  static let shims = ["whiptail", "dialog", AskpassSession.name, PinentryCall.name, PasswordCall.name]

  /// Returns the environment.
  ///
  /// - Parameters:
  ///   - environment: the environment of the caller.
  ///   - commands: the directory of the shims; nil if there are none.
  ///   - shim: the socket of the shims.
  ///   - debconf: debconf's socket; nil if debconf must ask by other means.
  ///   - isUnattended: whether a file answers the questions of packages.
  /// - Returns: all variables.
  static func adapting(
    _ environment: [String: String], commands: String?, shim: String, debconf: String?, isUnattended: Bool = false
  ) -> [String: String] {
    var result = debconf.map { DebconfEnvironment.adapting(environment, socket: $0, isUnattended: isUnattended) } ?? environment
    result["TERM"] = "xterm-256color"
    // The program's terminal has its own size.
    for name in ["LINES", "COLUMNS"] { result[name] = nil }
    result.merge(ConffilePrompt.environment) { $1 }
    result["COORDINATOR_PROGRAM"] = shim
    guard let commands else { return result }
    result["PATH"] = "\(commands):\(environment["PATH"] ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")"
    for name in ["SSH_ASKPASS", "SUDO_ASKPASS", "GIT_ASKPASS"] { result[name] = "\(commands)/\(AskpassSession.name)" }
    result["SSH_ASKPASS_REQUIRE"] = "force"
    // gpg passes this on to gpg-agent, which starts a pinentry outside of the program.
    if result["PINENTRY_USER_DATA"] == nil { result["PINENTRY_USER_DATA"] = shim }
    return result
  }
}
