import CoordinatorKit
import Flows

extension FlowCatalogue {
  /// Returns the flows of the crash trial: those of `coordinatord`, the flow `errands`, whose work and timers end without a
  /// call, and the flow `switchboard`, whose coordinators exchange values.
  ///
  /// - Parameter isHeld: whether all work is held until its flow receives the way in which the work should end.
  /// - Returns: the catalogue.
  /// - Throws: `FlowCatalogueError`.
  public static func crash(holdingWork isHeld: Bool = false) throws -> FlowCatalogue {
    var catalogue = try builtIn()
    try catalogue.add { Errands(isHeld: isHeld) }
    try catalogue.add { Switchboard() }
    try catalogue.add { Extension() }
    return catalogue
  }
}
