import Platform

/// Allows options that every command accepts to precede the command, as in `coordinatorctl --json tree`.
public enum GlobalArguments {
  /// Moves the options that precede the command after it.
  ///
  /// - Parameters:
  ///   - arguments: command line without the name of the program.
  ///   - flags: options without a value.
  ///   - options: options with a value: `--address VALUE` or `--address=VALUE`.
  /// - Returns: the command line in the order that the parser expects; unchanged if anything else, such as `--help`, precedes
  ///   the command.
  public static func behindCommand(_ arguments: [String], flags: Set<String>, options: Set<String>) -> [String] {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if options.contains(argument) {
        index += 2
      } else if flags.contains(argument) || options.contains(where: { argument.bytes.hasPrefix($0 + "=") }) {
        index += 1
      } else {
        break
      }
    }
    guard index < arguments.count, !arguments[index].bytes.hasPrefix("-") else { return arguments }
    return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
  }
}
