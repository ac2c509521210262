/// The program that a keeper keeps.
package struct KeptProgram: Sendable, Hashable {
  /// The id, which is the name of its directory.
  package var id: String
  /// What people call it.
  package var title: String
  /// The command and its arguments.
  package var arguments: [String]
  /// The user that it runs as.
  package var user: UInt32
  /// What no other keeper has: ids of questions begin with it.
  package var run: String

  /// Creates a description.
  package init(id: String, title: String, arguments: [String], user: UInt32, run: String) {
    (self.id, self.title, self.arguments, self.user, self.run) = (id, title, arguments, user, run)
  }
}
