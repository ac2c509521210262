import CoordinatorKit

extension FlowCatalogue {
  /// Adds the flows that no daemon should have to bear.
  public mutating func addHostile() throws(FlowCatalogueError) {
    try add { Thrower() }
    try add { Brief() }
    try add { Spinner() }
    try add { EndlessWork() }
    try add { LongList() }
  }
}
