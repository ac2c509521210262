import Platform

/// Which programs coordinators show. May be used from any thread.
final class ShownPrograms: Sendable {
  /// The name of the instance of the coordinator whose work is being performed.
  @TaskLocal static var instance: String?

  private let programs = Lock<[String: String]>([:])

  /// Creates an empty list.
  init() {}

  /// Notes that the coordinator whose work is being performed shows a program.
  func add(_ program: String) {
    guard let instance = Self.instance else { return }
    programs.withLock { $0[instance] = program }
  }

  /// Takes a coordinator off the list, and returns its program.
  func remove(_ instance: String) -> String? { programs.withLock { $0.removeValue(forKey: instance) } }
}
