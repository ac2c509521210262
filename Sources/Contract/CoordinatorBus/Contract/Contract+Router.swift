import DBus

extension Contract {
  /// The interface through which a flow tree's screens are shown.
  public static let router = InterfaceDescription(
    routerInterface,
    methods: [
      MethodDescription(
        "Attach", inputs: [Argument("capabilities", "a{sv}")],
        outputs: [Argument("revision", "t"), Argument("screens", "aa{sv}")]),
      MethodDescription("Detach"),
      MethodDescription(
        "Back", inputs: [Argument("screen", "t"), Argument("options", "a{sv}")],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "SaveDraft", inputs: [Argument("screen", "t"), Argument("values", "a{sv}"), Argument("options", "a{sv}")]),
    ],
    signals: [
      SignalDescription(
        "Answered",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"), Argument("event", "s"),
          Argument("kind", "s"), Argument("client", "s"),
        ]),
      SignalDescription(
        "Presented",
        arguments: [
          Argument("revision", "t"), Argument("screen", "a{sv}"),
          Argument("animated", "b"),
        ]),
      SignalDescription(
        "Updated",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"),
          Argument("changed", "a{sv}"), Argument("removed", "as"),
        ]),
      SignalDescription(
        "Live",
        arguments: [Argument("screen", "t"), Argument("changed", "a{sv}"), Argument("removed", "as")]),
      SignalDescription(
        "Progress",
        arguments: [Argument("screen", "t"), Argument("progress", "a{sv}")]),
      SignalDescription(
        "Drafted",
        arguments: [Argument("screen", "t"), Argument("draft", "a{sv}"), Argument("client", "s")]),
      SignalDescription(
        "Dismissed",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"),
          Argument("reason", "s"), Argument("animated", "b"),
        ]),
      SignalDescription(
        "Settled",
        arguments: [Argument("revision", "t"), Argument("top", "t")]),
    ],
    properties: [
      PropertyDescription("Coordinator", "o", emitsChanged: .const),
      PropertyDescription("Revision", "t", emitsChanged: .false),
      PropertyDescription("Screens", "aa{sv}", emitsChanged: .false),
      PropertyDescription("Renderers", "aa{sv}"),
      PropertyDescription("Language", "s"),
    ])
}
