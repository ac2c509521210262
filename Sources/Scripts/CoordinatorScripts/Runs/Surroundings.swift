/// The environment variables that runs inherit.
enum Surroundings: Sendable, Hashable {
  /// Those of this process.
  case own
  /// Those of another place and another day, so that a script is found that depends on them.
  case elsewhere

  /// Returns the variables.
  ///
  /// - Parameter kind: how the script is executed.
  /// - Returns: the variables.
  func variables(of kind: Script.Kind) -> [String: String] {
    var variables = RunOrder.inherited
    guard self == .elsewhere else { return variables }
    // A time zone that no machine uses, in which it is tomorrow.
    variables["TZ"] = "XXX-24"
    guard kind == .host else { return variables }
    // Python then orders sets differently. It still finds the modules that its user has installed.
    variables["PYTHONHASHSEED"] = variables["PYTHONHASHSEED"] == "4242" ? "4243" : "4242"
    if let home = variables["HOME"], variables["PYTHONUSERBASE"] == nil { variables["PYTHONUSERBASE"] = "\(home)/.local" }
    for name in ["USER", "LOGNAME"] { variables[name] = "nobody" }
    variables["HOME"] = "/nonexistent"
    return variables
  }
}
