import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// Serves the list of flows.
extension Site {
  /// Shows the list of flows; for a single flow, redirects to it.
  func home(_ visit: Visit) async throws(ClientError) -> HTTPResponse {
    if links.isForOneFlow { return .seeOther(firstPage) }
    let home = try await knocking(visit) { door throws(ClientError) in try await door.current() }
    return .page(
      HomePage(
        links: links, token: visit.token, home: home, find: String((visit.request.query[HomePage.findName] ?? "").prefix(200)),
        now: Timestamp.now.microseconds
      ).html)
  }

  /// Notifies a browser whenever the list has changed.
  func homeEvents(_ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard !links.isForOneFlow else { return notFound }
    let language = try await language(of: visit)
    let door = try await doors.retain(language)
    return listening(visit, to: await door.events()) { [doors] in await doors.release(language) }
  }

  private func knocking<Result: Sendable>(
    _ visit: Visit, _ body: (FrontDoor) async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result {
    let language = try await language(of: visit)
    let door = try await doors.retain(language)
    do {
      let result = try await body(door)
      await doors.release(language)
      return result
    } catch {
      await doors.release(language)
      throw error
    }
  }
}
