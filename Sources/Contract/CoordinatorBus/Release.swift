/// What this is a release of.
public enum Release {
  /// The version of the daemon and of all tools. The Makefile reads it here for packages and manual pages.
  public static let version = "0.1.0"
}
