import CoordinatorKit

extension FlowCatalogue {
  /// Returns a catalogue with one flow, `turn`, which does as little as a flow can, so that measurements show the cost
  /// of the daemon.
  ///
  /// - Returns: the catalogue. Other flows may be added.
  /// - Throws: `FlowCatalogueError`; never in practice, since there is only one flow.
  public static func turn() throws(FlowCatalogueError) -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Turn() }
    return catalogue
  }
}
