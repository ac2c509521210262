import Platform

/// Collects the messages of a call.
struct ShimCall: Sendable, Hashable {
  private var program: DialogInvocation.Program?
  private var arguments: [ProgramText] = []
  private var environment: [String: ProgramText] = [:]
  private var size: (lines: Int, columns: Int)? { sizes.count == 2 ? (sizes[0], sizes[1]) : nil }
  private var sizes: [Int] = []
  private var descriptors: Set<Int32>?

  /// The call, once it is complete.
  private(set) var invocation: DialogInvocation?

  /// Takes a message.
  ///
  /// - Parameter message: the message.
  /// - Returns: whether the call is complete.
  /// - Throws: ``ShimError/unexpected(_:)``.
  mutating func take(_ message: ShimMessage) throws(ShimError) -> Bool {
    let text = String(decoding: message.bytes, as: UTF8.self)
    switch message.name {
    case "shim" where program == nil: program = DialogInvocation.Program(rawValue: text)
    case "argument": arguments.append(ProgramText(message.bytes))
    case "variable":
      guard let equals = message.bytes.firstIndex(of: UInt8(ascii: "=")) else { throw .unexpected(message.name) }
      let name = String(decoding: message.bytes[..<equals], as: UTF8.self)
      environment[name] = ProgramText(message.bytes[(equals + 1)...])
    case "size": sizes = text.bytes.split(separator: " ").compactMap { Int($0) }
    case "writable": descriptors = Set(text.bytes.split(separator: " ").compactMap { Int32($0) })
    case "ready":
      guard let program else { throw .unexpected(message.name) }
      var invocation = DialogInvocation(
        program, arguments, environment: environment, lines: size?.lines ?? 24, columns: size?.columns ?? 80)
      invocation.writable = descriptors
      self.invocation = invocation
    default: throw .unexpected(message.name)
    }
    guard message.name == "shim" || program != nil else { throw .unexpected(message.name) }
    return invocation != nil
  }
}
