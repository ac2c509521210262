import Platform
import ProgramQuestions

/// One call of the shim as an askpass program. It sends the same messages as other calls: its argument is the prompt.
struct AskpassSession: Sendable {
  /// The name of the shim.
  static let name = "askpass"

  private let caller: String
  private var reader = ShimReader()
  private var prompt = ""
  private var hint: String?
  private var request: AskpassRequest?

  /// Creates a session with a shim that has just connected.
  init(caller: String) { self.caller = caller }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      guard request == nil else { throw .unexpected(message.name) }
      let text = String(decoding: message.bytes, as: UTF8.self)
      switch message.name {
      case "argument": if prompt.isEmpty { prompt = text }
      case "variable": if let value = text.bytes.dropping(prefix: Self.hintPrefix) { hint = String(value) }
      case "ready":
        let request = AskpassRequest(prompt: prompt, hint: hint, from: AskpassProgram(command: caller))
        self.request = request
        effects.append(.ask(request.question))
      case "shim", "size", "writable": break
      default: throw .unexpected(message.name)
      }
    }
    return effects
  }

  private static let hintPrefix = "SSH_ASKPASS_PROMPT="

  /// Takes an answer. Returns the output of the shim and its exit.
  func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect] {
    guard let request else { return [] }
    let result = request.result(of: answer)
    let outputs = result.outputs.flatMap { ShimMessage("output", Array("\($0.descriptor) ".utf8) + $0.bytes).encoded }
    return [.send(outputs + ShimMessage("exit", "\(result.status)".utf8).encoded), .end(status: result.status)]
  }
}
