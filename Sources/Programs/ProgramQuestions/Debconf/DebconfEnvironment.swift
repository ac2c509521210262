import Platform

/// The environment in which debconf passes its questions on.
package enum DebconfEnvironment {
  /// Returns the environment of a program whose packages ask here.
  ///
  /// - Parameters:
  ///   - environment: the environment of the caller.
  ///   - socket: the path of the socket, which already listens (trap T10).
  ///   - isUnattended: whether answers come from a file, which has them in the language C.
  /// - Returns: the environment.
  package static func adapting(
    _ environment: [String: String], socket: String, isUnattended: Bool = false
  ) -> [String: String] {
    var result = environment
    result["DEBIAN_FRONTEND"] = "passthrough"
    result["DEBCONF_PIPE"] = socket
    for name in ["DEBCONF_READFD", "DEBCONF_WRITEFD"] { result[name] = nil }
    if isUnattended || !usesUnicode(environment) { result["LC_ALL"] = "C.UTF-8" }
    if isUnattended { result["LANGUAGE"] = nil }
    return result
  }

  /// Whether the locale for characters uses UTF-8. In any other one, debconf stores an answer with other letters as empty
  /// (trap T5).
  static func usesUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let encoding = locale.bytes.split(separator: "@").first?.bytes.split(separator: ".").dropFirst().first ?? ""
    return ["utf8", "utf-8"].contains(encoding.bytes.lowercased)
  }
}
