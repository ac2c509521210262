import CWiping
import CoordinatorKeeper

/// `coordinator-keeper` as a program of its own, for developing. What is installed of it is coordinator-tools, under this name.
@main
enum Main {
  static func main() {
    coordinatord_wipe_freed_memory()
    CoordinatorKeeperCommand.main()
  }
}
