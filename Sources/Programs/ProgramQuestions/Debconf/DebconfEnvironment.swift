import Platform

/// The environment that makes debconf pass its questions on.
package enum DebconfEnvironment {
  /// Returns the environment of a program whose packages send their questions to a socket.
  ///
  /// - Parameters:
  ///   - environment: the environment of the caller.
  ///   - socket: the path of the socket, which must already listen (trap T10).
  ///   - isUnattended: whether answers come from a file, whose values are in the language C.
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

  /// Whether the locale for characters uses UTF-8. In any other locale, debconf stores an answer with characters outside its
  /// encoding as empty (trap T5).
  static func usesUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let encoding = locale.bytes.split(separator: "@").first?.bytes.split(separator: ".").dropFirst().first ?? ""
    return ["utf8", "utf-8"].contains(encoding.bytes.lowercased)
  }
}
