import CoordinatorKit
import DBus

/// The last transition of a flow tree, as the Router's property `LastTransition` describes it: when it was, and who caused it.
public struct LastTransition: Sendable, Hashable {
  /// When it began, in microseconds since 1970.
  public var time: UInt64
  /// The kind of its cause: the raw value of an ``Occasion/Kind`` or, of a newer daemon, another word.
  public var event: String
  /// The name of the event, or of the flow that was started; nil if it has none.
  public var name: String?
  /// The path of the coordinator that it concerns; nil if it is not known.
  public var coordinator: ObjectPath?
  /// The numeric id of the user who called; nil if there was no call, or if the bus does not know it.
  public var user: UInt32?
  /// The way in which the call came, such as "terminal"; nil if it is not known.
  public var way: String?

  /// Creates the description of a transition.
  ///
  /// - Parameters:
  ///   - occasion: the cause.
  ///   - time: when it began, in microseconds since 1970.
  package init(_ occasion: Occasion, at time: UInt64) {
    (self.time, event, name) = (time, occasion.kind.rawValue, occasion.name)
    coordinator = occasion.coordinator?.objectPath
    (user, way) = (occasion.caller?.user, occasion.caller?.way)
  }

  /// Decodes the property; nil if it is empty, because nothing is known.
  public init?(_ value: Value?) {
    guard let values = value?.vardict, let time = values["time"]?.uint64, let event = values["event"]?.string else { return nil }
    (self.time, self.event, name) = (time, event, values["name"]?.string)
    coordinator = values["coordinator"]?.objectPath
    user = values["user"]?.uint64.flatMap { UInt32(exactly: $0) }
    way = values["way"]?.string
  }

  /// The value of the property.
  package var value: Value {
    var values: [String: Value] = ["time": .uint64(time), "event": .string(event)]
    values["name"] = name.map(Value.string)
    values["coordinator"] = coordinator.map(Value.objectPath)
    values["user"] = user.map(Value.uint32)
    values["way"] = way.map(Value.string)
    return .vardict(values)
  }
}
