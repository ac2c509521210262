import Languages

/// The messages of terminals about the connection to the daemon. They do not name the daemon, which its users do not know.
public enum ConnectionNews {
  /// The message for a lost connection.
  public static var lost: String { Text("The connection was lost. Waiting for it to come back.").string }
  /// The message for a restored connection.
  public static var back: String { Text("The connection is back.").string }
}
