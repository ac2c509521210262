import CostTrial

/// Counts the instructions of calls in a daemon of this build.
@main
enum Costs {
  static func main() async { await CostCommand.main() }
}
