import CoordinatorKit

extension ReviewRow {
  /// The title of the button that changes an answer.
  public static var changeTitle: String { Text("Change").string }

  /// The payload of the event ``change`` for the row; nil if its answer cannot be changed.
  public var changePayload: [String: JSONValue]? {
    screen.map { ["id": .integer(Int64(clamping: $0.number))] }
  }
}

extension Screen {
  /// Whether answers under review can be changed now. Not while the screen is busy, because the work uses them.
  private var isChangeable: Bool { progress == nil }

  /// The indices of the rows under review whose answers can be changed now.
  public var changeableRows: [Int] { isChangeable ? review.indices.filter { review[$0].screen != nil } : [] }
}
