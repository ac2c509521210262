import DBus

extension Contract {
  /// The interface of a running coordinator.
  public static let coordinator = InterfaceDescription(
    coordinatorInterface,
    methods: [
      MethodDescription(
        "Delegate",
        inputs: [
          Argument("screen", "t"), Argument("event", "s"),
          Argument("payload", "a{sv}"), Argument("options", "a{sv}"),
        ],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "Dismiss",
        inputs: [Argument("animated", "b"), Argument("options", "a{sv}")],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "StartChild",
        inputs: [
          Argument("flow", "s"), Argument("input", "a{sv}"),
          Argument("options", "a{sv}"),
        ],
        outputs: [Argument("child", "o")]),
    ],
    signals: [
      SignalDescription(
        "ChildEnded",
        arguments: [Argument("child", "o"), Argument("outcome", "s")])
    ],
    properties: [
      PropertyDescription("Flow", "s", emitsChanged: .const),
      PropertyDescription("Parent", "o", emitsChanged: .const),
      PropertyDescription("Children", "ao"),
      PropertyDescription("Router", "o", emitsChanged: .const),
      PropertyDescription("Screens", "at", emitsChanged: .false),
      PropertyDescription("StartedAt", "t", emitsChanged: .const),
      PropertyDescription("Held", "s"),
    ])
}
