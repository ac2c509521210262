import CoordinatorKit

/// One setting of a machine, in the order in which they are applied: those that need a secret come first, so that the user need
/// not type it again after a later power cut.
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
