/// The program of a keeper.
package struct KeptProgram: Sendable, Hashable {
  /// The id, which is the name of its directory.
  package var id: String
  /// The name of the program for users.
  package var title: String
  /// The command and its arguments.
  package var arguments: [String]
  /// The user that the program runs as.
  package var user: UInt32
  /// The unique id of this run, with which the ids of its questions begin.
  package var run: String

  /// Creates a description.
  package init(id: String, title: String, arguments: [String], user: UInt32, run: String) {
    (self.id, self.title, self.arguments, self.user, self.run) = (id, title, arguments, user, run)
  }
}
