import CostTrial

/// The command that counts what calls cost a daemon of this build.
@main
enum Costs {
  static func main() async { await CostCommand.main() }
}
