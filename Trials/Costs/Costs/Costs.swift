import CostTrial

/// Counts what calls cost a daemon of this build.
@main
enum Costs {
  static func main() async { await CostCommand.main() }
}
