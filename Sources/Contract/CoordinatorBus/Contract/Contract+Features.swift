extension Contract {
  /// The names of what this version of the contract has beyond its first one, as the Manager's property `Features` lists
  /// them.
  public static let features = [
    "choosing", "confirm", "countdown", "durations", "elapses", "endings", "flow-pages", "forget", "fresh", "languages",
    "leaves", "live", "markup", "parts", "pictures", "providers", "results", "review", "singletons", "steps", "suggestions",
  ]
}
