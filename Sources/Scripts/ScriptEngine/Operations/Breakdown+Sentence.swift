import CoordinatorKit

extension Breakdown {
  /// What the person reads who has answered.
  package var sentence: Text {
    switch code {
    case "no-result": "A step was done, but what has come of it cannot be used."
    case "unknown": "It is not known whether a step was done."
    case "timed-out": "Nobody has answered in time."
    case "too-long": "This has become too long to continue."
    default: "A step has failed."
    }
  }
}
