/// The release that this source code belongs to.
public enum Release {
  /// The version of the daemon and of all tools. The Makefile reads it from this file for packages and manual pages.
  public static let version = "0.1.0"
}
