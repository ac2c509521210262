#if !CustomExecutors
  import Dispatch
  import Glibc

  /// The threads that run this process's Swift tasks: libdispatch's. They wake up every second, even when idle.
  ///
  /// Used instead of this package's own threads if the trait `CustomExecutors` is disabled.
  package enum ProcessThreads {
    /// Runs the program until `body` returns. Called once, by `main`, before any task exists.
    ///
    /// - Parameter body: the program. When it returns, the process exits with status 0.
    package static func run(_ body: @escaping @Sendable () async -> Void) -> Never {
      Task.detached {
        await body()
        exit(EXIT_SUCCESS)
      }
      dispatchMain()
    }
  }
#endif
