import CoordinatorKit

/// One thing that is set on a machine, in the order in which they are set: those that need a secret come first, so that
/// a power cut later on makes nobody type it again.
enum SetupStep: String, Codable, CodingKeyRepresentable, CaseIterable, MenuChoice {
  case user, password, network, hostName, language, keyboard, timeZone

  var title: Text {
    switch self {
    case .user: "User"
    case .password: "Password"
    case .network: "Network"
    case .hostName: "Host name"
    case .language: "Language"
    case .keyboard: "Keyboard"
    case .timeZone: "Time zone"
    }
  }
}
