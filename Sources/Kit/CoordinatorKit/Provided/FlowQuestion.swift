/// A question to a provider, which asks for its decision on an event for one coordinator.
package struct FlowQuestion: Sendable, Hashable {
  /// The coordinator.
  package let instance: FlowInstance
  /// The number of the question. It grows with each question to an instance, also after a restart.
  package let turn: UInt64
  /// The provider's own state of the coordinator within the transition under way; "" at the start.
  package let state: String
  /// The event.
  package let event: FlowQuestion.Event
  /// The data that the provider may need.
  package let context: FlowQuestion.Context

  /// The kind of the event, with its data.
  package enum Event: Sendable, Hashable {
    case start
    /// The user has acted on a screen of the coordinator.
    case event(name: String, key: String, payload: [String: JSONValue], secrets: [String])
    /// A child has not taken an event.
    case fromChild(Child, name: String, payload: [String: JSONValue], secrets: [String])
    /// An event has arrived that does not come from a screen.
    case script(name: String, payload: [String: JSONValue], secrets: [String])
    case back(key: String)
    case childEnded(Child, Outcome, secrets: [String])
    /// A live child has emitted a value.
    case output(Child, JSONValue, secrets: [String])
    /// The parent has sent a message.
    case message(JSONValue, secrets: [String])
    case workEnded(id: String, ProvidedWork.End)
    /// A restart has interrupted work that had secrets.
    case workInterrupted(id: String)
    /// A restart has removed kept secrets.
    case secretsGone([String])
    case timer(key: String)
    /// The language of the tree has changed: the provider must describe the screens again.
    case language
    /// A user started or stopped viewing the coordinator's screen.
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
    /// The secrets that are equal to another one, each with the name of that secret.
    package var same: [String: String] = [:]
    /// Whether the coordinator was held, and a client has retried the event.
    package var isRetried = false
  }
}

extension Child {
  /// Creates a child that another process has described.
  package init(_ path: CoordinatorPath, flow: String, input: [String: JSONValue]) {
    self.init(path: path, flow: flow, input: input)
  }
}

extension FlowInstance {
  /// Creates the instance of a coordinator.
  package init(_ path: CoordinatorPath, of flow: String, startedAt: UInt64) {
    self.init(flow: flow, path: path, startedAt: startedAt)
  }
}

extension FlowQuestion {
  /// Creates a question.
  package init(_ event: Event, of instance: FlowInstance, turn: UInt64, state: String, in context: Context) {
    self.init(instance: instance, turn: turn, state: state, event: event, context: context)
  }
}

extension FlowQuestion.Context {
  /// Creates the context of a coordinator that has nothing but an input.
  package init(input: [String: JSONValue], now: UInt64) {
    self.init(
      input: input, screens: [], children: [], work: [], secrets: [], router: .navigation, caller: nil, language: nil, now: now)
  }
}

/// A piece of work that a provider has ordered and performs itself.
package struct ProvidedWork: Sendable, Hashable, Codable {
  /// The id of the work; never used twice in one instance.
  package var id: String
  /// A description of the work, which only the provider understands.
  package var argument: String

  /// Creates a piece of work.
  package init(id: String, argument: String) {
    self.id = id
    self.argument = argument
  }

  /// Why work has failed, as described by the provider.
  package struct Trouble: Error, Sendable, Hashable, Codable {
    package var type: String
    package var message: String

    /// Creates a description.
    package init(type: String, message: String) {
      self.type = type
      self.message = message
    }
  }

  /// How work has ended.
  package enum End: Sendable, Hashable, Codable {
    case done(String)
    case failed(Trouble)
  }

  /// A change of work that is stored before it has any other effect.
  package enum Note: Sendable, Hashable {
    /// It has ended.
    case ended(End)
    /// It is about to be started again, with the number of the attempt.
    case begins(attempt: UInt32)
  }

  /// The work had secrets, and its provider left before the end: it cannot be performed again.
  package struct Interrupted: Error {
    /// Creates the error.
    package init() {}
  }
}
