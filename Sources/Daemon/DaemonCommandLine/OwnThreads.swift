import ArgumentParser
import Platform

extension AsyncParsableCommand where Self: SendableMetatype {
  /// Runs the command as `main()` does, but on threads of the process's own, which sleep while there is nothing to do.
  ///
  /// Call it from the type marked `@main`. Without it, tasks run on libdispatch's threads, and an idle daemon wakes up
  /// once a second. The same applies where the package's trait `CustomExecutors` is disabled.
  ///
  /// ```swift
  /// static func main() { mainOnOwnThreads() }
  /// ```
  public static func mainOnOwnThreads() -> Never {
    ProcessThreads.run { await main(nil) }
  }
}
