import CoordinatorKit
import DBus

extension PresentedScreen {
  /// Decodes a screen received from the daemon.
  ///
  /// Unknown keys are ignored, because a newer daemon may send more. A screen of an unknown kind is replaced by one that says
  /// that this renderer cannot show it; see ``CoordinatorKit/Screen/ofUnknownKind(_:title:body:)``.
  ///
  /// - Parameter vardict: the contents of an `a{sv}`, without the variants around the values.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(vardict: [String: Value]) throws(MalformedScreen) {
    let reader = VardictReader(vardict)
    self.init(
      id: try reader.required(.id, \.uint64),
      coordinator: try reader.required(.coordinator, \.objectPath),
      style: try reader.required(.style) { $0.string.flatMap(ScreenStyle.init(rawValue:)) },
      layer: try reader.required(.layer) { $0.uint64.flatMap(UInt32.init(exactly:)) },
      back: try reader.required(.back, \.bool),
      leaves: try reader.optional(.leaves, \.bool) ?? false,
      draft: try reader.optional(.draft) { try? JSONValue.object(from: $0) } ?? [:],
      screen: try Screen(reader))
  }
}
