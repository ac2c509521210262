import CoordinatorKit

extension FlowCatalogue {
  /// One flow, `turn`, which does as little as a flow can, so that what is measured is the daemon.
  ///
  /// - Returns: the flow; others can be added.
  /// - Throws: never, as there is one only.
  public static func turn() throws(FlowCatalogueError) -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Turn() }
    return catalogue
  }
}
