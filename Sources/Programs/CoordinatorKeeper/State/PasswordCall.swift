import Glibc
import ProgramQuestions

/// One call of the shim for systemd's request for a password.
struct PasswordCall: Sendable {
  /// The name of the shim.
  static let name = "password-request"

  /// The monotonic clock, in microseconds.
  private let now: @Sendable () -> UInt64
  private var reader = ShimReader()
  private var path: [UInt8] = []
  private var request: PasswordRequest?

  /// Creates a session with a shim that has just connected.
  ///
  /// - Parameter now: the monotonic clock, in microseconds.
  init(
    now: @escaping @Sendable () -> UInt64 = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
  ) { self.now = now }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      switch message.name {
      case "argument": if path.isEmpty { path = message.bytes }
      case "ready": effects.append(.send(ShimMessage("read-regular", path).encoded))
      case "content":
        guard let request = try? PasswordRequest(String(decoding: message.bytes, as: UTF8.self)) else { return end(1) }
        // No process would read the password.
        guard request.state(at: now(), isAlive: { kill($0, 0) == 0 || errno == EPERM }) == .open else { return end(0) }
        self.request = request
        var question = request.question()
        if let end = request.notAfter { question.timeout = Int(clamping: (end - min(end, now())) / 1_000_000 + 1) }
        effects.append(.ask(question))
      // The request has been answered meanwhile.
      case "failed": return end(0)
      case "shim", "variable", "size", "writable": break
      default: throw .unexpected(message.name)
      }
    }
    return effects
  }

  /// Takes an answer.
  func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect] {
    guard let request else { return [] }
    if case .event("timeout", _, _) = answer { return end(0) }
    let datagram = Array("\(request.socket)\n".utf8) + request.datagram(for: answer)
    return [.send(ShimMessage("datagram", datagram).encoded)] + end(0)
  }

  private func end(_ status: UInt8) -> [DialogSession.Effect] {
    [.send(ShimMessage("exit", "\(status)".utf8).encoded), .end(status: status)]
  }
}
