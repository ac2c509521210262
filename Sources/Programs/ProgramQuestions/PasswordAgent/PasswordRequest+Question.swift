import CoordinatorKit
import Forms

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
