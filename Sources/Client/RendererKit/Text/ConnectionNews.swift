import Languages

/// What terminals say about the connection to what runs the flow. Not the name of the program, which its users do not know.
public enum ConnectionNews {
  /// The connection is lost.
  public static var lost: String { Text("The connection was lost. Waiting for it to come back.").string }
  /// There is a connection again.
  public static var back: String { Text("The connection is back.").string }
}
