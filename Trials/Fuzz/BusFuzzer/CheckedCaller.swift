import BusLoad
import DBus

/// Makes calls, and checks their answers.
struct CheckedCaller: Sendable {
  let connection: Connection
  let tally: Tally

  /// The time after which a missing answer is a finding. Longer than the handler deadline (30 s), after which a flow
  /// ends as failed.
  static let deadline = Duration.seconds(60)

  /// The duration from which an answer is reported as slow.
  private static let slow = Duration.seconds(5)

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - deadline: the time after which a missing reply is a finding; nil for none.
  /// - Returns: the reply's arguments; nil for an error.
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
      // This error is documented, but no flow that ships should cause it.
      if error.name.hasSuffix(".FlowFailed") { say("note: \(error)\n  \(call.busctlText)") }
      if !DocumentedErrors.contain(error, of: call.member) { tally.report("undocumented error \(error)\n  \(call.busctlText)") }
    } catch is CancellationError {
      tally.report("no reply when all flows had ended\n  \(call.busctlText)")
    } catch {
      tally.report("no reply (\(error))\n  \(call.busctlText)")
    }
    return nil
  }

  /// Makes a call that requests no reply.
  func send(_ call: MethodCall) async {
    tally.sentWithoutReply(call)
    // Calls that cannot be sent never leave this process.
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
