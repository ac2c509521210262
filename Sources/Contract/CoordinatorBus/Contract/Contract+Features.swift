extension Contract {
  /// Lists the names of the features that this version of the contract adds to its first version, in the order of the Manager's
  /// property `Features`.
  public static let features = [
    "choosing", "confirm", "countdown", "durations", "elapses", "endings", "flow-pages", "forget", "fresh", "languages",
    "leaves", "live", "markup", "parts", "pictures", "providers", "results", "review", "singletons", "steps", "suggestions",
  ]
}
