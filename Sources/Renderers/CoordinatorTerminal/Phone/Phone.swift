/// Continues the flow on a phone: the state of the server that the phone connects to, and whether its address is shown.
struct Phone: Sendable, Hashable {
  /// The state of the server.
  enum State: Sendable, Hashable {
    /// It has not been started.
    case none
    /// It has been started, and has not reported its address yet.
    case starting
    /// It can be reached.
    case ready(PhoneLink)
    /// It cannot be reached, for the reason in these lines.
    case failed([String])
  }

  /// News of the server.
  enum News: Sendable, Hashable {
    /// The server has issued an address, which replaces earlier ones.
    case link(PhoneLink)
    /// The server has ended, with these lines.
    case ended([String])
  }

  var state = State.none
  /// Whether the address covers the screen.
  var isShown = false
  var scroll = Scroll()
}
