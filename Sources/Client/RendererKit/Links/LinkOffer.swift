import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// The checked effect of a link, for the person who decides whether to start it.
public struct LinkOffer: Sendable, Hashable {
  /// The flow.
  public let flow: FlowListing
  /// Its input, with the types of the flow's schema.
  public let input: [String: JSONValue]

  /// Returns a value on one line; invisible characters are escaped as in JSON.
  private static func shown(_ value: JSONValue) -> String {
    let text = value.plainText
    return (text.printable.bytes.equals(text) ? text : value.canonicalText).printable
  }

  /// The offer for people: the flow, and each value of its input, one on each line. Secrets are dots.
  package var lines: [String] {
    let fields = flow.input?.fields ?? []
    let secrets = flow.input?.secretFields ?? []
    let titles = Dictionary(fields.map { ($0.name, $0.schema.title ?? $0.name) }, uniquingKeysWith: { first, _ in first })
    let order = fields.map(\.name).filter { input[$0] != nil } + input.keys.filter { titles[$0] == nil }.sorted()
    let heading = flow.title.isEmpty ? flow.name : "\(flow.title) (\(flow.name))"
    return ["a link asks to start a flow:", "  \(heading.printable)"]
      + order.map { name in
        let value = secrets.contains(name) ? "•••" : input[name].map(Self.shown) ?? ""
        return "    \((titles[name] ?? name).printable): \(value)"
      }
  }
}

extension ToolSession {
  /// Checks the effect of a link. Starts nothing.
  ///
  /// - Parameter text: link that was opened.
  /// - Returns: the offer.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if there is no such flow, or if it does not accept the input.
  package func offer(ofLink text: String) async throws(ToolFailure) -> LinkOffer {
    let link: FlowLink
    do {
      link = try FlowLink(text)
    } catch {
      throw ToolFailure(
        ["cannot open this link: \(error)", "  a link has the form: \(FlowLink.scheme):FLOW?key=value&key=value"], exit: .usage)
    }
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    guard let flow = flows.first(where: { $0.name == link.flow }) else {
      throw ToolFailure(
        ["there is no flow '\(link.flow.printable)'"] + Self.advice(link.flow, among: flows), cause: .unknown, name: "UnknownFlow"
      )
    }
    let input = try object(link.input, flow.input)
    let reasons = flow.input?.check(input) ?? [:]
    guard reasons.isEmpty else { throw ToolFailure(.refused(.invalidInput(reasons))) }
    return LinkOffer(flow: flow, input: input)
  }
}
