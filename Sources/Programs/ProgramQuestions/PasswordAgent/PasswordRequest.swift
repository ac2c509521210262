import Platform

/// A request for a password by systemd: a file `ask.*` in `/run/systemd/ask-password`, or in the directory of a user.
///
/// The keeper watches the directory for files that are closed after writing or moved there, and withdraws a request whose
/// file is deleted: another agent has answered it.
package struct PasswordRequest: Sendable, Hashable {
  /// The way in which typed text is shown.
  package enum Echo: Sendable, Hashable {
    case hidden, masked, plain
  }

  /// The state of a request.
  package enum State: Sendable, Hashable {
    case open
    /// The deadline of the request has passed.
    case expired
    /// The process that asked has ended.
    case abandoned
  }

  /// The process that asks; nil if the file does not name it.
  package let process: Int32?
  /// The path of the datagram socket that takes the answer.
  package let socket: String
  /// The text for users.
  package let message: String
  /// The object that needs the password, such as "cryptsetup:/dev/sda2"; empty if the file does not name it.
  package let id: String
  /// The name of an icon; empty if the file does not name one.
  package let icon: String
  /// The deadline of the asking process, in microseconds of the monotonic clock; nil if it waits forever.
  package let notAfter: UInt64?
  /// Whether a password that was typed before may be sent.
  package let acceptsCached: Bool
  /// The way in which typed text is shown.
  package let echo: Echo

  /// Whether a name in the directory is that of a request.
  package static func isRequest(_ name: String) -> Bool { name.bytes.hasPrefix("ask.") && !name.bytes.contains("/") }

  /// Reads a file.
  ///
  /// - Parameter text: its text.
  /// - Throws: ``PasswordRequestError``.
  package init(_ text: String) throws(PasswordRequestError) {
    let keys = Self.keys(of: text)
    guard let socket = keys["Socket"], !socket.isEmpty else { throw .missing("Socket") }
    // sockaddr_un has room for 108 bytes, including the terminating NUL.
    guard socket.bytes.hasPrefix("/"), socket.utf8.count < 108, !socket.utf8.contains(0) else { throw .malformed("Socket") }
    self.socket = socket
    process = try Self.number(keys, "PID")
    guard process ?? 1 > 0 else { throw .malformed("PID") }
    let notAfter: UInt64? = try Self.number(keys, "NotAfter")
    self.notAfter = notAfter == 0 ? nil : notAfter
    message = keys["Message"] ?? ""
    id = keys["Id"] ?? ""
    icon = keys["Icon"] ?? ""
    acceptsCached = Self.isTrue(keys["AcceptCached"])
    echo = keys["Echo"] == "masked" ? .masked : Self.isTrue(keys["Echo"]) ? .plain : .hidden
  }

  /// Returns whether the request can still be answered.
  ///
  /// - Parameters:
  ///   - now: the monotonic clock, in microseconds.
  ///   - isAlive: returns whether a process exists.
  /// - Returns: the state.
  package func state(at now: UInt64, isAlive: (Int32) -> Bool) -> State {
    if let notAfter, notAfter <= now { return .expired }
    if let process, !isAlive(process) { return .abandoned }
    return .open
  }

  private static func keys(of text: String) -> [String: String] {
    var keys: [String: String] = [:]
    var isInside = false
    for line in ForeignLines.split(text) {
      if line.bytes.hasPrefix("[") {
        isInside = line.bytes.equals("[Ask]")
      } else if isInside, !line.bytes.hasPrefix("#"), !line.bytes.hasPrefix(";"), let (key, value) = line.bytes.cut(at: "=") {
        keys[String(key)] = String(value)
      }
    }
    return keys
  }

  private static func number<Number: FixedWidthInteger>(
    _ keys: [String: String], _ key: String
  ) throws(PasswordRequestError) -> Number? {
    guard let text = keys[key], !text.isEmpty else { return nil }
    guard let number = Number(text) else { throw .malformed(key) }
    return number
  }

  private static func isTrue(_ text: String?) -> Bool {
    ["1", "yes", "y", "true", "t", "on"].contains(text?.bytes.lowercased ?? "")
  }
}
