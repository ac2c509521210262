import CoordinatorKit
import Forms
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

/// Splits files of other programs into lines.
enum ForeignLines {
  /// Returns the lines of a text, which LF or CR LF ends.
  static func split(_ text: String) -> [String] {
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(Substring(line.last == 0x0D ? line.dropLast() : line))
    }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// The reason why a file in `ask-password` is not a request.
package enum PasswordRequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The section [Ask] lacks this key.
  case missing(String)
  /// The value of this key cannot be read.
  case malformed(String)

  package var description: String {
    switch self {
    case .missing(let key): "there is no \(key)= in the section [Ask]"
    case .malformed(let key): "the value of \(key)= cannot be read"
    }
  }
}

extension PasswordRequest {
  /// The name of the field.
  static let field = "password"

  /// The name of the screen, which answers files use: the id without parts that change, such as a process number.
  package var name: String { id.isEmpty ? "systemd-password" : "systemd-password/\(id)" }

  /// Returns the question as a screen.
  ///
  /// - Parameter clock: the difference between the clock since 1970 and the monotonic clock, in microseconds, from which the
  ///   screen computes its deadline.
  /// - Returns: the question.
  package func question(clock: Int64? = nil) -> ProgramQuestion {
    var screen = ForeignScreen(.form, name: name, title: "The system asks for a password")
    screen.add(paragraph: message)
    screen.set(fields: [ForeignField(Self.field, echo == .plain ? .text : .secret, title: echo == .plain ? "Answer" : "Password")]
    )
    screen.add(action: "okay", "OK", .primary)
    screen.add(action: "cancel", "Cancel", .cancel)
    if let clock, let notAfter = notAfter.flatMap({ Int64(exactly: $0) }) {
      let (until, overflow) = notAfter.addingReportingOverflow(clock)
      if !overflow, until > 0 { screen.change { $0.until = Timestamp(microseconds: UInt64(until)) } }
    }
    return ProgramQuestion(screen: screen.screen)
  }

  /// Returns the datagram that answers the request. Write it to ``socket`` once, and never log it.
  ///
  /// - Parameter answer: the answer of the screen.
  /// - Returns: "+" and the password, or "-" if the user refuses to answer.
  package func datagram(for answer: ProgramAnswer) -> [UInt8] {
    guard case .event("okay", let payload, let secrets) = answer else { return Self.refusal }
    if echo == .plain { return Self.datagram(passwords: [Array((payload[Self.field]?.string ?? "").utf8)]) }
    return secrets[Self.field].map { Self.datagram(passwords: [$0]) } ?? Self.refusal
  }

  /// The datagram that says that the user refuses to answer.
  package static let refusal = [UInt8(ascii: "-")]

  /// Returns the datagram with one or more passwords, separated by NUL.
  package static func datagram(passwords: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "+")] + passwords.map { $0.filter { $0 != 0 } }.joined(separator: [0])
  }
}

/// A question of a program, as a screen.
package struct ProgramQuestion: Sendable, Hashable {
  /// The screen, with its name.
  package var screen: Screen
  /// Whether the program can go back to the question before.
  package var allowsBack: Bool
  /// The time in seconds after which the program stops waiting; nil if it waits forever. Answer with the event `timeout` then.
  package var timeout: Int?

  /// Creates a question.
  package init(screen: Screen, allowsBack: Bool = false) {
    (self.screen, self.allowsBack) = (screen, allowsBack)
  }
}
