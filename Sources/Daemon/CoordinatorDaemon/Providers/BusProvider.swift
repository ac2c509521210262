import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Asks the providers of flows on the bus. May be used from any thread.
final class BusProvider: FlowProvider {
  private let table = Lock(ProviderTable())
  let connection: Connection
  let work = WorkDesk()
  /// Whether only trusted users may serve.
  let isSystem: Bool
  /// How long a provider that is started may take until it owns its name.
  let startTime: Duration

  init(connection: Connection, isSystem: Bool, startTime: Duration) {
    self.connection = connection
    self.isSystem = isSystem
    self.startTime = startTime
  }

  /// Reads or changes who serves what.
  func withTable<Result: Sendable>(_ body: (inout ProviderTable) throws -> Result) rethrows -> Result {
    try table.withLock(body)
  }

  func screen(from description: JSONValue) throws -> Screen { try AnswerDecoder.screen(from: description) }

  func decide(_ question: FlowQuestion) async -> FlowAnswer {
    var tries = 0
    while true {
      tries += 1
      let served: ServedFlow
      do { served = try await serving(question.instance.flow) } catch { return .trouble(error) }
      let answer = await decide(question, by: served)
      // It may have left while the question was on its way: it is started again, or another serves the flow.
      guard case .trouble(.gone) = answer, tries < 3, withTable({ $0.provider(of: question.instance.flow) }) != nil else {
        return answer
      }
    }
  }

  private func decide(_ question: FlowQuestion, by registration: ServedFlow) async -> FlowAnswer {
    let flow = question.instance.flow
    let deadline = registration.flow.deadline
    do {
      let call = registration.call("Decide", try question.arguments(deadline: deadline))
      return .decided(try AnswerDecoder().decision(try await connection.call(call, deadline: deadline)))
    } catch let fault as AnswerDecoder.Fault {
      return .trouble(.failed("the answer of \(registration.title) for the flow \(flow) \(fault)"))
    } catch let error as DBusError {
      return FlowAnswer(error, of: registration, for: flow)
    } catch {
      return .trouble(.failed("\(registration.title) cannot be asked about the flow \(flow): \(error)"))
    }
  }

  func server(of flow: String) -> String? { withTable { $0.provider(of: flow)?.name } }

  func mayStart(_ child: String, asChildOf flow: String) -> Bool {
    withTable { $0.mayStart(child, asChildOf: flow, isSystem: isSystem) }
  }

  func origin(_ server: String) -> ScreenOrigin {
    ScreenOrigin(name: server, title: withTable { $0.files.file(of: server)?.title })
  }

  func perform(_ work: ProvidedWork, of instance: FlowInstance, in context: SharedWorkContext) async throws -> String {
    let registration = try await registration(for: instance, context)
    guard let owner = registration.owner else { throw CancellationError() }
    let claim = self.work.expect(work.id, of: instance, by: owner, context)
    let cancelled = registration.call("CancelWork", [.string(instance.name), .string(work.id)])
    return try await withTaskCancellationHandler {
      do {
        // It may have left after it was looked up, and its work has been ended then.
        guard server(of: instance.flow) != nil else { throw DBusError.unknownObject("the provider has left") }
        _ = try await connection.call(registration.call("Perform", Self.arguments(work, instance, context)))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        self.work.forget(claim)
        throw ProvidedWork.Trouble(type: "NotAccepted", message: "\(error)")
      }
      return try await self.work.end(of: claim)
    } onCancel: {
      self.work.cancel(claim)
      connection.loop.post { [connection] in connection.assumeIsolated { try? $0.send(cancelled) } }
    }
  }

  /// Returns who serves the flow of a piece of work. Waits for it if nothing does, as after a restart.
  private func registration(for instance: FlowInstance, _ context: SharedWorkContext) async throws -> ServedFlow {
    while true {
      if let served = try? await serving(instance.flow) { return served }
      try await context.sleep(for: .seconds(1))
    }
  }

  private static func arguments(
    _ work: ProvidedWork, _ instance: FlowInstance, _ context: SharedWorkContext
  ) -> [Value] {
    let secrets = context.secrets.sorted { $0.key < $1.key }.map { name, secret in
      DictionaryEntry(key: .string(name), value: secret.withString { Value.string($0) })
    }
    return [
      .string(instance.flow), .string(instance.name), .string(work.id), .uint32(1), .string(work.argument),
      .dictionary(key: .string, value: .string, secrets),
    ]
  }
}

extension ServedFlow {
  /// Returns a call of the provider's object.
  fileprivate func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner ?? name, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}

extension FlowAnswer {
  /// What the error of a provider means.
  fileprivate init(_ error: DBusError, of provider: ServedFlow, for flow: String) {
    switch ContractError(error) {
    case .denied(let message): self = .refused(.denied(message))
    case .invalidPayload(_, let reasons): self = .refused(.invalidPayload(reasons))
    case .invalidInput(_, let reasons): self = .refused(.invalidInput(reasons))
    case .notDismissable(let message): self = .refused(.notDismissable(message))
    case .unknownEvent: self = .notTaken
    default:
      if error.name == Contract.errorPrefix + "Failed" {
        self = .failed(Failure(code: error.extra.first?.string ?? "failed", message: error.message))
      } else if error.name.hasSuffix(".Timeout") {
        self = .trouble(.timeout("\(provider.title) has not decided in time about the flow \(flow)"))
      } else if error.name.hasSuffix(".NoReply") || error.name.hasSuffix(".ServiceUnknown")
        || error.name.hasSuffix(".NameHasNoOwner")
      {
        self = .trouble(.gone("\(provider.title), which served the flow \(flow), has left"))
      } else {
        self = .trouble(.failed("\(provider.title) failed over the flow \(flow): \(error.name): \(error.message)"))
      }
    }
  }
}
