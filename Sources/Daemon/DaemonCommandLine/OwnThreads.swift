import ArgumentParser
import Threads

extension AsyncParsableCommand where Self: SendableMetatype {
  /// Runs the command as `main()` does, on threads of the process's own that sleep as long as there is nothing to do.
  ///
  /// For the program that `@main` names. Without it tasks run on libdispatch's threads, and an idle daemon wakes up once a second.
  ///
  /// ```swift
  /// static func main() { mainOnOwnThreads() }
  /// ```
  public static func mainOnOwnThreads() -> Never {
    ProcessThreads.run { await main(nil) }
  }
}
