import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages

/// A flow tree that runs, as a front door shows it.
public struct RunningFlow: Sendable, Hashable {
  /// The path of the root coordinator.
  public var coordinator: ObjectPath
  /// The name of its flow.
  public var flow: String
  /// The title of its flow, and the language that it is in.
  public var title: TextInLanguage
  /// The start time, in microseconds since 1970.
  public var startedAt: UInt64
  /// The window; nil if it was not read.
  public var window: MirroredWindow?
  /// The kinds of the renderers that are attached, such as "terminal".
  public var renderers: [String]

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - flow: flow tree, as the daemon lists it.
  ///   - flows: flows that the daemon lists, by name.
  ///   - language: language of the user; nil for English.
  ///   - window: window of the tree; nil if it was not read.
  ///   - renderers: kinds of the renderers that are attached.
  public init(
    _ flow: ActiveFlow, of flows: [String: FlowListing], language: LanguageTag?, window: MirroredWindow? = nil,
    renderers: [String] = []
  ) {
    coordinator = flow.coordinator
    self.flow = flow.flow
    title = flows[flow.flow]?.readableTitle(in: language) ?? TextInLanguage(text: flow.flow, language: .english)
    startedAt = flow.startedAt
    self.window = window
    self.renderers = renderers
  }

  /// The name of the tree, such as `pets_1`.
  public var name: String { TreeSelector.name(coordinator) }

  /// The screen that the tree shows; nil if it shows none, or if it is not known.
  public var top: PresentedScreen? { window?.top }

  /// The place in the flow: the title of its screen, unless that is the title of the flow itself, or the reason why it is held.
  public var place: String? {
    if let sentence = window?.heldSentence { return sentence }
    guard let title = top?.screen.title, !title.isEmpty, title != self.title.text else { return nil }
    return title
  }
}
