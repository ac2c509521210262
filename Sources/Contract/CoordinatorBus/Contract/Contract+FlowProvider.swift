import DBus

extension Contract {
  /// The name of the interface that a provider of flows implements.
  public static let flowProviderInterface = "org.coordinatord.FlowProvider1"

  /// The interface through which the daemon asks a provider for its decision on an event.
  public static let flowProvider = InterfaceDescription(
    flowProviderInterface,
    methods: [
      MethodDescription(
        "Decide",
        inputs: [
          Argument("flow", "s"), Argument("instance", "s"), Argument("turn", "t"), Argument("state", "s"),
          Argument("event", "a{sv}"), Argument("context", "a{sv}"),
        ],
        outputs: [Argument("answer", "a{sv}")]),
      MethodDescription(
        "Perform",
        inputs: [
          Argument("flow", "s"), Argument("instance", "s"), Argument("work", "s"), Argument("attempt", "u"),
          Argument("argument", "s"), Argument("secrets", "a{ss}"),
        ]),
      MethodDescription("CancelWork", inputs: [Argument("instance", "s"), Argument("work", "s")], annotations: [noReply]),
      MethodDescription("Ended", inputs: [Argument("instance", "s"), Argument("outcome", "s")], annotations: [noReply]),
      MethodDescription("Release", inputs: [Argument("flows", "as"), Argument("reason", "s")], annotations: [noReply]),
    ])

  private static let noReply = Annotation("org.freedesktop.DBus.Method.NoReply", "true")
}
