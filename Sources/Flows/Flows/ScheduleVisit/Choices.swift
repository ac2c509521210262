import CoordinatorKit

/// The purpose of a visit.
enum VisitType: String, Codable, CaseIterable, MenuChoice {
  case well, sick

  var title: Text {
    switch self {
    case .well: "A check-up"
    case .sick: "My pet is sick"
    }
  }
}

/// The intensity of the pain.
enum PainLevel: String, Codable, CaseIterable, MenuChoice {
  case none, little, moderate, severe
  case worstPossible = "worst-possible"

  var title: Text {
    switch self {
    case .none: "Not at all"
    case .little: "A little"
    case .moderate: "Moderately"
    case .severe: "Severely"
    case .worstPossible: "As much as can be"
    }
  }

  /// Whether to ask if the pet is only faking it.
  var mayBeFaked: Bool { self == .none || self == .little }
}

/// Whether the pet is only faking it.
enum Honesty: String, CaseIterable, MenuChoice {
  case fake = "is-fake"
  case real = "not-fake"

  var title: Text {
    switch self {
    case .fake: "Yes, it is faking"
    case .real: "No, it is real"
    }
  }
}
