import BusLoad
import DBus

/// Makes calls, and judges the answers.
struct CheckedCaller: Sendable {
  let connection: Connection
  let tally: Tally

  /// Longer than a flow may take to handle a call (30 s) before it is given up.
  static let deadline = Duration.seconds(60)

  /// What takes longer is mentioned.
  private static let slow = Duration.seconds(5)

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - call: What to call.
  ///   - deadline: When a missing reply is a finding.
  /// - Returns: What came back; nil for an error.
  @discardableResult
  func call(_ call: MethodCall, deadline: Duration? = deadline) async -> [Value]? {
    let start = ContinuousClock.now
    defer {
      let duration = ContinuousClock.now - start
      if deadline != nil, duration > Self.slow { say("note: answered after \(duration)\n  \(call.busctlText)") }
    }
    do {
      let values = try await connection.call(call, deadline: deadline)
      tally.returned(call)
      check(values, call)
      return values
    } catch let error as DBusError {
      tally.refused(call, error)
      // Documented, but nothing that a flow should do.
      if error.name.hasSuffix(".FlowFailed") { say("note: \(error)\n  \(call.busctlText)") }
      if !DocumentedErrors.contain(error, of: call.member) { tally.report("undocumented error \(error)\n  \(call.busctlText)") }
    } catch is CancellationError {
      tally.report("no reply when all flows had ended\n  \(call.busctlText)")
    } catch {
      tally.report("no reply (\(error))\n  \(call.busctlText)")
    }
    return nil
  }

  /// Makes a call that wants no reply.
  func send(_ call: MethodCall) async {
    tally.sentWithoutReply(call)
    // What cannot be sent never leaves this process.
    try? await connection.send(call)
  }

  private func check(_ values: [Value], _ call: MethodCall) {
    guard let method = Vocabulary.methods[call.member] else {
      return tally.report("a method that does not exist was answered\n  \(call.busctlText)")
    }
    let found = try? Signature(of: values).string
    if found != method.outputSignature {
      tally.report("returned '\(found ?? "?")' instead of '\(method.outputSignature)'\n  \(call.busctlText)")
    }
  }
}
