import CoordinatorKit

/// The errors that a handler may throw.
enum Mishap: String, Codable, CaseIterable, MenuChoice {
  case failure, plain, refusal

  var title: Text { Text(verbatim: rawValue) }

  /// An error without a message for users.
  struct Plain: Error {}

  func happen() throws -> Never {
    switch self {
    case .failure: throw Failure(code: "thrown", message: "on purpose")
    case .plain: throw Plain()
    case .refusal: throw Refusal.denied("refused on purpose")
    }
  }
}
