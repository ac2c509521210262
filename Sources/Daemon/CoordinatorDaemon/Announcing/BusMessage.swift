import CoordinatorBus
import CoordinatorKit
import DBus

/// A message that announces a change on the bus.
enum BusMessage: Sendable {
  /// The signal `Presented` of a router. Its screen is encoded when it is sent, so that the first message of a transition
  /// can be on its way meanwhile; see `Link.writeSoon()`.
  case presented(ObjectPath, revision: UInt64, ShownScreen, animated: Bool)
  /// A signal of the contract.
  case signal(ObjectPath, interface: String, member: String, [Value])
  /// `InterfacesAdded` for an object that exists from now on.
  case added(ObjectPath)
  /// `InterfacesRemoved` for an object with one interface.
  case removed(ObjectPath, interface: String)
  /// `PropertiesChanged` for one property.
  case changed(String, interface: String, ObjectPath)
}

extension BusMessage {
  /// The message with its screen encoded, to be sent several times.
  var encoded: BusMessage {
    guard case .presented(let router, let revision, let screen, let animated) = self else { return self }
    return .signal(
      router, interface: Contract.routerInterface, member: "Presented",
      RouterSignal.presentedBody(revision: revision, screen: screen.value(), animated: animated))
  }
}
