import CoordinatorBus
import CoordinatorClient

extension ClientError {
  /// The exit code for the cause of the error, for tools with one code for each cause; others use ``exitCode``.
  public var cause: ToolExit {
    switch self {
    case .refused(let refusal): refusal.cause
    case .failed(let error) where error.isStandard("AccessDenied"): .denied
    case .failed(let error) where error.isStandard("LimitsExceeded"): .unavailable
    case _ where isUnknownObject: .unknown
    default: exitCode
    }
  }
}

extension ContractError {
  fileprivate var cause: ToolExit {
    switch self {
    case .staleScreen, .unknownScreen: .stale
    case .denied, .notDismissable: .denied
    case .invalidInput, .invalidPayload: .invalid
    case .unknownFlow, .unknownEvent: .unknown
    case .held: .held
    case .notStored, .providerGone, .providerTimeout, .wouldWait, .alreadyRunning: .unavailable
    case .flowFailed: .failed
    case .tokenInUse, .providerFailed, .flowTaken: .error
    }
  }
}
