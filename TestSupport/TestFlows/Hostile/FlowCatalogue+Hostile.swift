import CoordinatorKit

extension FlowCatalogue {
  /// Adds the flows that misbehave.
  ///
  /// - Throws: `FlowCatalogueError` if the catalogue already has a flow of one of their names.
  public mutating func addHostile() throws(FlowCatalogueError) {
    try add { Thrower() }
    try add { Brief() }
    try add { Spinner() }
    try add { EndlessWork() }
    try add { LongList() }
  }
}
