import ArgumentParser
import ConfigurationFiles
import RendererKit

/// The options for renderers in public places.
public struct KioskOptions: ParsableArguments {
  /// A time that is at least a second and at most a day.
  private struct Time: ExpressibleByArgument {
    let time: Duration

    init?(argument: String) {
      guard let time = ValueFormat<Duration>.time(from: .seconds(1)).value(of: argument), time <= .seconds(86_400) else {
        return nil
      }
      self.time = time
    }
  }

  @Flag(help: "Show one flow, with no way out but those that the flow offers; starts it again 30 s after its end.")
  private var kiosk = false

  @Option(
    help: ArgumentHelp("Start the flow again this long after its end, such as 30s.", valueName: "time"))
  private var restartAfter: Time?

  @Option(
    help: ArgumentHelp(
      "Cancel the flow and start it again after nobody has done anything for this long, such as 5min.", valueName: "time"))
  private var idleReset: Time?

  /// Creates options that leave the behavior of a renderer unchanged.
  public init() {}

  /// The resulting behavior of the renderer.
  public var policy: KioskPolicy {
    KioskPolicy(
      isLocked: kiosk, restartTime: restartAfter?.time ?? (kiosk ? KioskPolicy.usualRestartTime : nil), idleTime: idleReset?.time)
  }
}
