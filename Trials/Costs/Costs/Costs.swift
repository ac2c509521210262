import CostTrial

/// The command that counts the cost of calls to a daemon of this build.
@main
enum Costs {
  static func main() async { await CostCommand.main() }
}
