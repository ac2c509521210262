import CoordinatorBus
import CoordinatorKit
import DBus

/// The calls of the provider by the daemon that a trial plays.
extension Stage {
  /// Asks the provider to decide about an event.
  func decide(
    _ question: Question, turn: UInt64, deadline: Duration, from connection: Connection? = nil
  ) async -> Reply {
    book.update { $0.deciding += 1 }
    defer { book.update { $0.deciding -= 1 } }
    return await call("Decide", question.arguments(turn: turn), deadline: deadline, from: connection)
  }

  /// Requests a piece of work from the provider.
  func perform(
    _ work: PerformedWork, for ticket: Ticket, attempt: UInt32 = 1, deadline: Duration = .seconds(5),
    from connection: Connection? = nil
  ) async -> Reply {
    if connection == nil {
      book.update {
        $0.performed.insert(ticket)
        $0.running.insert(ticket)
      }
    }
    let secrets = work.secrets.sorted { $0.key < $1.key }.map {
      DictionaryEntry(key: .string($0.key), value: .string($0.value))
    }
    return await call(
      "Perform",
      [
        .string(work.flow), .string(ticket.instance), .string(ticket.work), .uint32(attempt), .string(work.argument),
        .dictionary(key: .string, value: .string, secrets),
      ], deadline: deadline, from: connection)
  }

  /// Calls a method of the provider that has no answer.
  func tell(_ member: String, _ arguments: [Value]) {
    guard let registration = book.value.registration else { return }
    let call = call(member, arguments, to: registration)
    let daemon = daemon
    daemon.loop.post { daemon.assumeIsolated { try? $0.send(call) } }
  }

  /// Notifies the provider that a piece of work is cancelled.
  func cancel(_ ticket: Ticket) {
    book.update { _ = $0.running.remove(ticket) }
    tell("CancelWork", [.string(ticket.instance), .string(ticket.work)])
  }

  private func call(
    _ member: String, _ arguments: [Value], deadline: Duration, from connection: Connection?
  ) async -> Reply {
    guard let registration = book.value.registration else { return .gone }
    do {
      let call = call(member, arguments, to: registration)
      let results = try await (connection ?? daemon).call(call, deadline: deadline)
      return .answer(results.count == 1 ? results[0] : .structure(results))
    } catch let error as DBusError {
      let isGone = ["ServiceUnknown", "NameHasNoOwner", "NoReply"].contains { error.isStandard($0) }
      return isGone ? .gone : .error(error)
    } catch is CancellationError {
      return .dropped
    } catch {
      return .silent
    }
  }

  private func call(_ member: String, _ arguments: [Value], to registration: StageBook.Registration) -> MethodCall {
    MethodCall(
      destination: registration.sender, path: registration.path, interface: Contract.flowProviderInterface, member: member,
      arguments: arguments, autoStart: false)
  }
}
