import CoordinatorKit

extension FlowCatalogue {
  /// The flows that come with coordinatord, each with the data sources that it needs.
  ///
  /// - Throws: ``FlowCatalogueError`` if two of them have the same name.
  public static func builtIn() throws(FlowCatalogueError) -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { HowToCode() }
    try catalogue.add { Pets() }
    try catalogue.add { ScheduleVisit() }
    return catalogue
  }
}
