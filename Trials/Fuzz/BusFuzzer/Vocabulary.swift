import CoordinatorBus
import DBus

/// The methods of the contract and of the standard interfaces.
enum Vocabulary {
  /// The daemon's own interfaces.
  static let contractInterfaces = [Contract.manager, Contract.coordinator, Contract.router]
  /// All interfaces.
  static let interfaces =
    contractInterfaces + [
      StandardInterfaces.properties, StandardInterfaces.objectManager, StandardInterfaces.introspectable, StandardInterfaces.peer,
    ]

  /// The methods by member name. No two interfaces have a method of the same name.
  static let methods = Dictionary(
    interfaces.flatMap(\.methods).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
