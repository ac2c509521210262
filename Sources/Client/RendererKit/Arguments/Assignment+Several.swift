extension Assignment {
  /// Parses several assignments.
  ///
  /// - Parameter words: arguments of the form `key=value`.
  /// - Returns: the assignments in their order.
  /// - Throws: ``ToolFailure`` with the exit code for a usage error.
  public static func all(_ words: some Sequence<String>) throws(ToolFailure) -> [Assignment] {
    var result: [Assignment] = []
    for word in words {
      do {
        result.append(try Assignment(word))
      } catch {
        throw ToolFailure([error.description], exit: .usage)
      }
    }
    return result
  }
}
