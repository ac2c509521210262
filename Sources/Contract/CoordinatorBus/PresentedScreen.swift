import CoordinatorKit
import DBus

/// A screen and its place in a window, as the contract encodes it in a dictionary.
public struct PresentedScreen: Sendable, Hashable, Identifiable {
  /// The screen's id: 1, 2, 3, … in the order in which its flow tree presents screens. Never reused.
  public var id: UInt64
  /// The path of the coordinator to delegate the screen's events to.
  public var coordinator: ObjectPath
  /// The relation of the screen to those below it.
  public var style: ScreenStyle
  /// The layer: 0 for the main stack, 1 and up for modal stacks, each on top of the previous one.
  public var layer: UInt32
  /// Whether the user may go back from the screen when it is on top.
  public var back: Bool
  /// Whether going back from the screen ends the flow.
  public var leaves: Bool
  /// The values that a user has entered but not sent yet, by field: each of the field's type, or in its text form.
  public var draft: [String: JSONValue]
  /// The screen's content.
  public var screen: Screen

  /// Creates a presented screen.
  public init(
    id: UInt64, coordinator: ObjectPath, style: ScreenStyle, layer: UInt32, back: Bool, leaves: Bool = false,
    draft: [String: JSONValue] = [:], screen: Screen
  ) {
    self.id = id
    self.coordinator = coordinator
    self.style = style
    self.layer = layer
    self.back = back
    self.leaves = leaves
    self.draft = draft
    self.screen = screen
  }
}

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

extension PresentedScreen {
  /// Returns the screen as a dictionary of the contract. A key that the contract marks with `?` is absent if it has no value.
  ///
  /// - Parameter keys: the keys to encode; nil for all.
  /// - Returns: the contents of an `a{sv}`, without variants around the values.
  /// - Throws: `JSONConversionError` if D-Bus cannot represent a value or the schema, or if one is nested too deep.
  public func vardict(only keys: Set<ScreenKey>? = nil) throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [:]
    if let keys {
      for key in keys { if let value = try value(of: key) { result[key.rawValue] = value } }
    } else {
      result.reserveCapacity(Self.usualCount)
      for (key, name) in Self.names { if let value = try value(of: key) { result[name] = value } }
    }
    return result
  }

  /// The whole screen as an `a{sv}`; the same as ``sayableVardict(only:)``, without an intermediate dictionary.
  public var sayable: Value {
    if let value = try? described() { return value }
    return .vardict(sayableVardict())
  }

  private func described() throws(JSONConversionError) -> Value {
    var entries: [DictionaryEntry] = []
    entries.reserveCapacity(Self.usualCount)
    for (key, name) in Self.orderedNames { entries.add(name, try value(of: key)) }
    return .vardict(ordered: entries)
  }

  /// Most screens have no more keys.
  private static let usualCount = 12
  /// Made once: `allCases` makes an array each time.
  private static let names = ScreenKey.allCases.map { ($0, $0.rawValue) }
  private static let orderedNames = names.sorted { $0.1 < $1.1 }

  /// Returns the screen as a dictionary of the contract; without its values, form and draft if D-Bus cannot represent one of
  /// them.
  ///
  /// Values that D-Bus cannot represent are refused when a coordinator presents them, so nothing is missing in practice.
  ///
  /// - Parameter keys: the keys to encode; nil for all.
  /// - Returns: the contents of an `a{sv}`, without variants around the values.
  public func sayableVardict(only keys: Set<ScreenKey>? = nil) -> [String: Value] {
    if let vardict = try? vardict(only: keys) { return vardict }
    var rest = self
    (rest.screen.values, rest.screen.form, rest.draft) = ([:], nil, [:])
    return (try? rest.vardict(only: keys)) ?? [:]
  }

  private func value(of key: ScreenKey) throws(JSONConversionError) -> Value? {
    switch key {
    case .id: .uint64(id)
    case .coordinator: .objectPath(coordinator)
    case .style: .string(style.rawValue)
    case .layer: .uint32(layer)
    case .back: .boolean(back)
    case .leaves: leaves ? .boolean(true) : nil
    case .draft: draft.isEmpty ? nil : try .object(draft)
    default: try screen.value(of: key)
    }
  }
}
