/// Values in the order in which any threads appended them.
public final class Record<Element: Sendable>: Sendable {
  private let storage = Observed<[Element]>([])

  /// Creates an empty record.
  public init() {}

  /// The values so far.
  public var values: [Element] { storage.value }

  /// Appends a value.
  public func append(_ value: Element) { storage.update { $0.append(value) } }

  /// Waits until the record has a number of values.
  ///
  /// - Returns: the values.
  /// - Throws: `CancellationError`, so that a test that exceeds its time limit ends.
  @discardableResult
  public func reaches(_ count: Int) async throws -> [Element] { try await storage.until { $0.count >= count } }
}
