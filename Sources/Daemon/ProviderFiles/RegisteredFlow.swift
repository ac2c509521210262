import CoordinatorKit

/// A flow as its provider describes it: in a file, or in a call.
package struct RegisteredFlow: Sendable {
  package let description: FlowDescription
  package let schemas: FlowSchemas
  /// The version of the program's own state.
  package let version: UInt32
  /// Whether its coordinators are told who looks at their screens.
  package let wantsLooking: Bool
  /// How long one `Decide` may take.
  package let deadline: Duration
  /// The size of the description as it was received or as it is listed, whichever is larger, in bytes; 0 for one that comes
  /// from a file.
  package let size: Int

  /// Creates a flow. What a file cannot say has a default.
  package init(
    description: FlowDescription, schemas: FlowSchemas, version: UInt32, wantsLooking: Bool = false, deadline: Duration,
    size: Int = 0
  ) {
    (self.description, self.schemas, self.version) = (description, schemas, version)
    (self.wantsLooking, self.deadline, self.size) = (wantsLooking, deadline, size)
  }

  /// Returns whether another description says the same.
  package func isSame(as other: RegisteredFlow) -> Bool {
    description == other.description && schemas == other.schemas && version == other.version && deadline == other.deadline
      && wantsLooking == other.wantsLooking
  }
}
