import DBus

extension Contract {
  /// The interface that starts flows and reports their outcomes.
  public static let manager = InterfaceDescription(
    managerInterface,
    methods: [
      MethodDescription(
        "StartFlow", inputs: startArguments,
        outputs: [Argument("coordinator", "o"), Argument("router", "o")]),
      MethodDescription("RunFlow", inputs: startArguments, outputs: outcomeArguments),
      MethodDescription(
        "GetOutcome", inputs: [Argument("coordinator", "o")], outputs: outcomeArguments),
      MethodDescription("GetEnding", inputs: [Argument("root", "o")], outputs: [Argument("ending", "a{sv}")]),
      MethodDescription("ListActive", outputs: [Argument("flows", "a(osst)")]),
      MethodDescription("ListEnded", outputs: [Argument("flows", "a(osss)")]),
      MethodDescription("ListFlows", outputs: [Argument("flows", "aa{sv}")]),
      MethodDescription(
        "ListFlowsAfter", inputs: [Argument("after", "s"), Argument("count", "u")],
        outputs: [Argument("flows", "aa{sv}"), Argument("more", "b")]),
      MethodDescription("Forget", inputs: [Argument("token", "s")], outputs: [Argument("forgotten", "b")]),
      MethodDescription("RetryHeld", outputs: [Argument("taken_up", "u"), Argument("held", "u")]),
      MethodDescription(
        "RegisterFlows",
        inputs: [Argument("provider", "o"), Argument("flows", "aa{sv}"), Argument("options", "a{sv}")],
        outputs: [Argument("waiting", "u")]),
      MethodDescription("UnregisterFlows", inputs: [Argument("flows", "as")]),
      MethodDescription(
        "EndWork", inputs: [Argument("instance", "s"), Argument("work", "s"), Argument("result", "a{sv}")]),
      MethodDescription(
        "ReportWork", inputs: [Argument("instance", "s"), Argument("work", "s"), Argument("progress", "a{sv}")]),
      MethodDescription("ReadState", inputs: [Argument("coordinator", "o")], outputs: [Argument("state", "s")]),
      MethodDescription("ListProviders", outputs: [Argument("providers", "aa{sv}")]),
    ],
    signals: [
      SignalDescription(
        "FlowStarted",
        arguments: [Argument("coordinator", "o"), Argument("flow", "s")]),
      SignalDescription(
        "FlowEnded",
        arguments: [
          Argument("coordinator", "o"), Argument("flow", "s"),
          Argument("outcome", "s"),
        ]),
      SignalDescription("FlowsChanged", arguments: [Argument("added", "as"), Argument("removed", "as")]),
    ],
    properties: [
      PropertyDescription("Version", "s", emitsChanged: .const),
      PropertyDescription("Features", "as", emitsChanged: .const),
      PropertyDescription("Languages", "a(ss)", emitsChanged: .const),
      PropertyDescription("ActiveFlows", "u"),
      PropertyDescription("Renderers", "u"),
      PropertyDescription("MaxFlows", "u", emitsChanged: .const),
      PropertyDescription("MaxFlowsPerClient", "u", emitsChanged: .const),
      PropertyDescription("MaxDepth", "u", emitsChanged: .const),
      PropertyDescription("MaxItems", "u", emitsChanged: .const),
      PropertyDescription("MaxPayload", "u", emitsChanged: .const),
      PropertyDescription("MaxOutcomes", "u", emitsChanged: .const),
      PropertyDescription("MaxRegisteredFlows", "u", emitsChanged: .const),
      PropertyDescription("MaxRegisteredBytes", "u", emitsChanged: .const),
    ])

  private static let startArguments = [
    Argument("flow", "s"), Argument("input", "a{sv}"),
    Argument("options", "a{sv}"),
  ]
  private static let outcomeArguments = [Argument("outcome", "s"), Argument("result", "a{sv}")]
}
