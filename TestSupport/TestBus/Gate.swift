import Glibc

/// Blocks threads until a test opens it; simulates code that does not return.
public final class Gate: Sendable {
  /// A byte in this pipe means that the gate is open.
  private let ends: (read: Int32, write: Int32)
  private let arrivals = Observed(0)

  /// Creates a closed gate.
  public init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  /// Opens the gate for all threads, including later ones.
  public func open() {
    var byte: UInt8 = 1
    write(ends.write, &byte, 1)
  }

  /// Blocks the thread until the gate is open.
  public func block() {
    arrivals.update { $0 += 1 }
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) != 1 {}
    open()
  }

  /// Waits until a number of threads has reached the gate.
  ///
  /// - Throws: `CancellationError`, so that a test that exceeds its time limit ends.
  public func reached(by count: Int = 1) async throws { try await arrivals.until { $0 >= count } }
}
