import ProgramQuestions

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
    return result
  }
}
