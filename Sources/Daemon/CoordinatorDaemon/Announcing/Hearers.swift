import CoordinatorBus

/// The clients that may hear the signals of a flow tree.
enum Hearers: Sendable, Hashable {
  /// Everyone whom the bus lets listen: the signals are broadcast.
  case everyone
  /// The clients with these unique names only.
  case only([String])

  /// Returns the destinations of a message; nil stands for a broadcast. What concerns the daemon and not a tree, such as
  /// the number of flows, is for everyone.
  func destinations(of message: BusMessage) -> [String?] {
    switch (self, message) {
    case (.everyone, _), (_, .changed(_, interface: Contract.managerInterface, _)): [nil]
    case (.only(let names), _): names
    }
  }
}
