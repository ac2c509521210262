import ArgumentParser
import ConfigurationFiles

/// The options that set the limits.
struct LimitOptions: ParsableArguments {
  @Option(help: DaemonKey.maxFlows.help, transform: DaemonKey.maxFlows.argument)
  var maxFlows: String?

  @Option(help: DaemonKey.maxFlowsPerClient.help, transform: DaemonKey.maxFlowsPerClient.argument)
  var maxFlowsPerClient: String?

  @Option(help: DaemonKey.maxDepth.help, transform: DaemonKey.maxDepth.argument)
  var maxDepth: String?

  @Option(help: DaemonKey.maxItems.help, transform: DaemonKey.maxItems.argument)
  var maxItems: String?

  @Option(help: DaemonKey.maxPayload.help, transform: DaemonKey.maxPayload.argument)
  var maxPayload: String?

  @Option(help: DaemonKey.maxOutcomes.help, transform: DaemonKey.maxOutcomes.argument)
  var maxOutcomes: String?

  @Option(help: DaemonKey.maxCallsPerClient.help, transform: DaemonKey.maxCallsPerClient.argument)
  var maxCallsPerClient: String?

  @Option(help: DaemonKey.maxCalls.help, transform: DaemonKey.maxCalls.argument)
  var maxCalls: String?

  @Option(help: DaemonKey.maxCallBytesPerClient.help, transform: DaemonKey.maxCallBytesPerClient.argument)
  var maxCallBytesPerClient: String?

  @Option(help: DaemonKey.maxCallBytes.help, transform: DaemonKey.maxCallBytes.argument)
  var maxCallBytes: String?

  @Option(help: DaemonKey.maxInputBytesPerClient.help, transform: DaemonKey.maxInputBytesPerClient.argument)
  var maxInputBytesPerClient: String?

  @Option(help: DaemonKey.maxInputBytes.help, transform: DaemonKey.maxInputBytes.argument)
  var maxInputBytes: String?

  @Option(help: DaemonKey.maxRenderers.help, transform: DaemonKey.maxRenderers.argument)
  var maxRenderers: String?

  @Option(help: DaemonKey.maxAttachments.help, transform: DaemonKey.maxAttachments.argument)
  var maxAttachments: String?

  @Option(help: DaemonKey.maxRegisteredFlows.help, transform: DaemonKey.maxRegisteredFlows.argument)
  var maxRegisteredFlows: String?

  @Option(help: DaemonKey.maxRegisteredBytes.help, transform: DaemonKey.maxRegisteredBytes.argument)
  var maxRegisteredBytes: String?

  var given: [GivenValue] {
    [
      DaemonKey.maxFlows.given(maxFlows),
      DaemonKey.maxFlowsPerClient.given(maxFlowsPerClient),
      DaemonKey.maxDepth.given(maxDepth),
      DaemonKey.maxItems.given(maxItems),
      DaemonKey.maxPayload.given(maxPayload),
      DaemonKey.maxOutcomes.given(maxOutcomes),
      DaemonKey.maxCallsPerClient.given(maxCallsPerClient),
      DaemonKey.maxCalls.given(maxCalls),
      DaemonKey.maxCallBytesPerClient.given(maxCallBytesPerClient),
      DaemonKey.maxCallBytes.given(maxCallBytes),
      DaemonKey.maxInputBytesPerClient.given(maxInputBytesPerClient),
      DaemonKey.maxInputBytes.given(maxInputBytes),
      DaemonKey.maxRenderers.given(maxRenderers),
      DaemonKey.maxAttachments.given(maxAttachments),
      DaemonKey.maxRegisteredFlows.given(maxRegisteredFlows),
      DaemonKey.maxRegisteredBytes.given(maxRegisteredBytes),
    ].compactMap(\.self)
  }
}
