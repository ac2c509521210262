import CoordinatorBus

/// The clients that may receive the signals of a flow tree.
enum Hearers: Sendable, Hashable {
  /// All clients that the bus allows to listen: the signals are broadcast.
  case everyone
  /// Only the clients with these unique names.
  case only([String])

  /// Returns the destinations of a message; nil stands for a broadcast. Messages about the daemon instead of a tree, such as
  /// the number of flows, are broadcast.
  func destinations(of message: BusMessage) -> [String?] {
    switch (self, message) {
    case (.everyone, _), (_, .changed(_, interface: Contract.managerInterface, _)): [nil]
    case (.only(let names), _): names
    }
  }
}
