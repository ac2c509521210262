import DaemonCommand

/// `coordinatord` as a separate program, for development. Installations contain coordinator-tools under this name instead.
@main
enum Main {
  static func main() { Coordinatord.main() }
}
