import ProgramQuestions

/// One call of the shim for a request of systemd for a password.
struct PasswordCall: Sendable {
  /// The name of the shim.
  static let name = "password-request"

  private var reader = ShimReader()
  private var path: [UInt8] = []
  private var request: PasswordRequest?

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      switch message.name {
      case "argument": if path.isEmpty { path = message.bytes }
      case "ready": effects.append(.send(ShimMessage("read-regular", path).encoded))
      case "content":
        guard let request = try? PasswordRequest(String(decoding: message.bytes, as: UTF8.self)) else { return end(1) }
        self.request = request
        effects.append(.ask(request.question()))
      // It has been answered meanwhile.
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
    let datagram = Array("\(request.socket)\n".utf8) + request.datagram(for: answer)
    return [.send(ShimMessage("datagram", datagram).encoded)] + end(0)
  }

  private func end(_ status: UInt8) -> [DialogSession.Effect] {
    [.send(ShimMessage("exit", "\(status)".utf8).encoded), .end(status: status)]
  }
}
