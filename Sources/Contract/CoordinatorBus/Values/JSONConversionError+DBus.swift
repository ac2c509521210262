import CoordinatorKit
import DBus

extension JSONConversionError {
  /// The error to answer a call with: `LimitsExceeded` for excessive nesting, `InvalidArgs` for everything else.
  public var dbusError: DBusError {
    switch self {
    case .tooDeep: .limitsExceeded(description)
    default: .invalidArgs(description)
    }
  }
}
