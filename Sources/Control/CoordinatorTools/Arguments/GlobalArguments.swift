/// Lets options that every command takes stand before the command as well: `coordinatorctl --json tree`.
public enum GlobalArguments {
  /// Moves the options in front of the command behind it.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the name of the program.
  ///   - flags: The options that have no value.
  ///   - options: The options that have one: `--address VALUE` or `--address=VALUE`.
  /// - Returns: The command line as the commands read it; unchanged if there is something else in front, such as `--help`.
  public static func behindCommand(_ arguments: [String], flags: Set<String>, options: Set<String>) -> [String] {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if options.contains(argument) {
        index += 2
      } else if flags.contains(argument) || options.contains(where: { argument.hasPrefix($0 + "=") }) {
        index += 1
      } else {
        break
      }
    }
    guard index < arguments.count, !arguments[index].hasPrefix("-") else { return arguments }
    return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
  }
}
