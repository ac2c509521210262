/// What a provider is asked: what comes of an event for one coordinator.
package struct FlowQuestion: Sendable, Hashable {
  /// The coordinator.
  package let instance: FlowInstance
  /// The number of the question. It grows with each question to an instance, also after a restart.
  package let turn: UInt64
  /// The provider's own state of the coordinator within the transition under way; "" at the start.
  package let state: String
  /// The event.
  package let event: FlowQuestion.Event
  /// What the provider may need to know.
  package let context: FlowQuestion.Context

  /// What has happened.
  package enum Event: Sendable, Hashable {
    case start
    /// The user has acted on a screen of the coordinator.
    case event(name: String, key: String, payload: [String: JSONValue], secrets: [String])
    /// A child has not taken an event.
    case fromChild(Child, name: String, payload: [String: JSONValue], secrets: [String])
    /// An event has come from no screen.
    case script(name: String, payload: [String: JSONValue], secrets: [String])
    case back(key: String)
    case childEnded(Child, Outcome, secrets: [String])
    /// A living child has emitted a value.
    case output(Child, JSONValue, secrets: [String])
    /// The parent has sent a message.
    case message(JSONValue, secrets: [String])
    case workEnded(id: String, ProvidedWork.End)
    /// A restart has interrupted work that had secrets.
    case workInterrupted(id: String)
    /// A restart has taken kept secrets.
    case secretsGone([String])
    case timer(key: String)
    /// The language of the tree has changed: the screens are to be described anew.
    case language
    /// Somebody looks at the coordinator's screen, or nobody does any more.
    case looking(Bool)
    /// An older version of the program has written the state.
    case migrate(from: UInt32)
  }

  /// The coordinator as it is before the event.
  package struct Context: Sendable, Hashable {
    package var input: [String: JSONValue]
    /// The keys of its screens, bottom first.
    package var screens: [String]
    package var children: [Child]
    /// The ids of running work.
    package var work: [String]
    /// The names of the secrets that it keeps.
    package var secrets: [String]
    package var router: RouterKind
    package var caller: Caller?
    package var language: String?
    /// The time of the event, in microseconds since 1970.
    package var now: UInt64
    /// The number of the screen that was presented last in the tree.
    package var lastScreen: UInt64 = 0
    /// The lowest screens of children that have any.
    package var childScreens: [CoordinatorPath: ScreenID] = [:]
    /// Which secrets are equal to another one, with the name of that.
    package var same: [String: String] = [:]
    /// Whether the coordinator was held, and a client has had the event tried again.
    package var isRetried = false
  }
}
