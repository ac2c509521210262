import CoordinatorBus
import CoordinatorKit
import DBus

/// Moves work from a program to the one that has replaced it (P18).
extension BusProvider {
  /// How long a program that was replaced may take to leave the bus, or to end its work.
  private static var releaseTime: Duration { .seconds(5) }

  /// Asks a program that has lost its name to let its flows go. If it stays on the bus, its work goes to its successor.
  ///
  /// - Parameters:
  ///   - name: the well-known name.
  ///   - former: the connection that has lost the name.
  ///   - owner: the connection that owns it now.
  func release(_ name: String, from former: String?, to owner: String) {
    let served = withTable { $0.served.filter { $0.value.name == name } }
    guard let path = served.values.first?.path else { return }
    let flows = served.keys.sorted()
    let work = self.work.work(under: name, exceptOf: owner)
    for connection in Set(work.keys).union([former].compactMap(\.self)).sorted() where connection != owner {
      send("Release", [.strings(flows), .string("another program serves these flows now")], to: connection, at: path)
    }
    for (performer, tickets) in work.sorted(by: { $0.key < $1.key }) {
      for ticket in tickets.sorted(by: { ($0.instance, $0.work) < ($1.instance, $1.work) }) {
        send("CancelWork", [.string(ticket.instance), .string(ticket.work)], to: performer, at: path)
      }
      connection.loop.schedule(after: Self.releaseTime) { [work = self.work] in work.take(tickets, from: performer) }
    }
  }

  private func send(_ member: String, _ arguments: [Value], to connection: String, at path: ObjectPath) {
    let call = MethodCall(
      destination: connection, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
    self.connection.loop.post { [connection = self.connection] in connection.assumeIsolated { try? $0.send(call) } }
  }
}
