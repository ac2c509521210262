import Languages

/// The approximate time since a flow was started.
public struct FlowAge: Sendable, Hashable {
  /// The age in whole minutes.
  public let minutes: UInt64

  /// Creates an age.
  ///
  /// - Parameters:
  ///   - start: start time of the flow, in microseconds since 1970.
  ///   - now: current time, in microseconds since 1970. A start in the future counts as just now.
  public init(since start: UInt64, at now: UInt64) { minutes = now > start ? (now - start) / 60_000_000 : 0 }

  /// The age in words: "5 minutes ago".
  public var words: String {
    let minutes = Int(clamping: minutes)
    return switch minutes {
    case 0: Text("just now").string
    case ..<60: Text(one: "{count} minute ago", other: "{count} minutes ago", count: minutes).string
    case ..<1440: Text(one: "{count} hour ago", other: "{count} hours ago", count: minutes / 60).string
    default: Text(one: "{count} day ago", other: "{count} days ago", count: minutes / 1440).string
    }
  }
}
