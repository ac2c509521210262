import ArgumentParser
import ConfigurationFiles
public import CoordinatorBus
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

  /// Runs the command on threads of the process's own. A command line without mistakes and without a question such as
  /// `--help` is read without ArgumentParser, and handed to a closure: the daemon starts sooner.
  ///
  /// ```swift
  /// static func main() { mainOnOwnThreads(named: "kiosk") { try await serve($0) } }
  ///
  /// func run() async throws { try await Self.serve(daemon.arguments()) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name to serve under, so that the daemon can run beside others, unless the command line gives another; nil
  ///     for that of `coordinatord`, whose place on the bus the daemon then takes.
  ///   - keys: configuration keys of the daemon's own whose options are those of the command. A command must have no
  ///     other options than these and ``DaemonOptions``.
  ///   - serve: closure that serves; it throws what `run()` would.
  public static func mainOnOwnThreads(
    named name: DaemonName? = nil, keys: [KeyEntry] = [],
    serving serve: @escaping @Sendable (DaemonArguments) async throws -> Void
  ) -> Never {
    if let name { DaemonName.choose(name) }
    ProcessThreads.run {
      guard let arguments = DaemonArguments(plain: CommandLine.arguments.dropFirst(), keys: keys) else { return await main(nil) }
      do { try await serve(arguments) } catch { exit(withError: error) }
    }
  }
}
