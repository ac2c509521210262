import CWiping
import CoordinatorKeeper

/// `coordinator-keeper` as a separate program, for development. coordinator-tools is installed under this name.
@main
enum Main {
  static func main() {
    coordinatord_wipe_freed_memory()
    CoordinatorKeeperCommand.main()
  }
}
