import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Asks the providers of flows on the bus. May be used from any thread.
final class BusProvider: FlowProvider {
  private let table = Lock(ProviderTable())
  private let connection: Connection
  let work = WorkDesk()

  init(connection: Connection) { self.connection = connection }

  /// Reads or changes who serves what.
  func withTable<Result: Sendable>(_ body: (inout ProviderTable) throws -> Result) rethrows -> Result {
    try table.withLock(body)
  }

  func screen(from description: JSONValue) throws -> Screen { try AnswerDecoder.screen(from: description) }

  func decide(_ question: FlowQuestion) async -> FlowAnswer {
    let flow = question.instance.flow
    guard let (registration, registered) = withTable({ $0.provider(of: flow) }) else {
      return .trouble(.gone("nothing serves the flow \(flow) at the moment"))
    }
    do {
      let call = registration.call("Decide", try question.arguments(deadline: registered.deadline))
      return .decided(try AnswerDecoder().decision(try await connection.call(call, deadline: registered.deadline)))
    } catch let fault as AnswerDecoder.Fault {
      return .trouble(.failed("the answer of \(registration.title) for the flow \(flow) \(fault)"))
    } catch let error as DBusError {
      return FlowAnswer(error, of: registration, for: flow)
    } catch {
      return .trouble(.failed("\(registration.title) cannot be asked about the flow \(flow): \(error)"))
    }
  }

  func server(of flow: String) -> String? { withTable { $0.provider(of: flow)?.0.name } }

  func perform(_ work: ProvidedWork, of instance: FlowInstance, in context: SharedWorkContext) async throws -> String {
    let registration = try await registration(for: instance, context)
    let claim = self.work.expect(work.id, of: instance, by: registration.owner, context)
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
  private func registration(for instance: FlowInstance, _ context: SharedWorkContext) async throws -> FlowRegistration {
    while true {
      if let (registration, _) = withTable({ $0.provider(of: instance.flow) }) { return registration }
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

extension FlowRegistration {
  /// Returns a call of the provider's object.
  fileprivate func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}

extension FlowAnswer {
  /// What the error of a provider means.
  fileprivate init(_ error: DBusError, of provider: FlowRegistration, for flow: String) {
    if let answer = FlowAnswer(error) {
      self = answer
    } else {
      if error.name.hasSuffix(".NoReply") || error.name.hasSuffix(".Timeout") {
        self = .trouble(.timeout("\(provider.title) has not decided in time about the flow \(flow)"))
      } else if error.name.hasSuffix(".ServiceUnknown") || error.name.hasSuffix(".NameHasNoOwner") {
        self = .trouble(.gone("\(provider.title), which served the flow \(flow), has left"))
      } else {
        self = .trouble(.failed("\(provider.title) failed over the flow \(flow): \(error.name): \(error.message)"))
      }
    }
  }
}
