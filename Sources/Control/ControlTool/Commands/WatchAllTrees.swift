import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl watch --all`: follows all flow trees, also those that are started meanwhile, until it is interrupted.
public struct WatchAllTrees: Sendable {
  /// What the tasks report that follow the trees and the bus.
  private enum News: Sendable {
    case started(ObjectPath)
    case daemon(isThere: Bool)
    case shown(ObjectPath, WindowEvent)
    /// A tree is no longer followed: it has ended, or cannot be seen by this user.
    case gone(ObjectPath)
    case failed(ClientError)
  }

  private let session: ToolSession
  private let news = AsyncStream.makeStream(of: News.self)

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the events of all flow trees, each with the name of its tree. Follows a daemon that is started again.
  ///
  /// - Returns: never, unless the bus is lost or the task is cancelled.
  /// - Throws: ``ToolFailure``.
  public func run() async throws(ToolFailure) -> ToolExit {
    var tasks = try await listeners()
    defer { for task in tasks { task.cancel() } }
    var followed: Set<ObjectPath> = []
    func follow(_ trees: [ObjectPath]) {
      for tree in trees where followed.insert(tree).inserted { tasks.append(Task { await self.follow(tree) }) }
    }
    follow(try await active())
    for await news in news.stream {
      switch news {
      case .started(let tree): follow([tree])
      case .daemon(let isThere):
        say(isThere ? .daemonBack : .daemonLost, of: nil)
        // Trees whose start was announced before this process listened to the new daemon.
        if isThere { follow((try? await active()) ?? []) }
      case .shown(let tree, let event): say(event, of: tree)
      case .gone(let tree): followed.remove(tree)
      case .failed(let error): throw ToolFailure(error)
      }
    }
    throw ToolFailure(.connection(.disconnected))
  }

  private func active() async throws(ToolFailure) -> [ObjectPath] {
    try await session.doing { () async throws(ClientError) in
      try await session.daemon.manager.listActive().sorted { $0.startedAt < $1.startedAt }.map(\.coordinator)
    }
  }

  private func say(_ event: WindowEvent, of tree: ObjectPath?) {
    let name = tree.map(TreeSelector.name)
    let prefix = name.map { session.output.style.strong($0.printable) + ": " } ?? ""
    session.output.say(
      event.lines(style: session.output.style).map { prefix + $0 },
      json: name.map { JSONValue(event).adding("tree", .string($0)) } ?? JSONValue(event))
  }

  // MARK: Listening

  /// Listens for starts of flows, and for the daemon.
  private func listeners() async throws(ToolFailure) -> [Task<Void, Never>] {
    let news = news.continuation
    let starts = try await signals(
      MatchRule(path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowStarted"))
    let owners = try await signals(
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]))
    return [
      Task {
        for await case .signal(let signal) in starts {
          if let tree = signal.body.first?.objectPath { news.yield(.started(tree)) }
        }
        news.finish()
      },
      Task {
        for await case .signal(let signal) in owners where signal.body.count == 3 {
          news.yield(.daemon(isThere: signal.body[2].string?.isEmpty == false))
        }
        news.finish()
      },
    ]
  }

  private func signals(_ rule: MatchRule) async throws(ToolFailure) -> SignalSequence {
    do {
      return try await session.daemon.connection.signals(matching: rule)
    } catch {
      throw ToolFailure(ClientError(error))
    }
  }

  private func follow(_ tree: ObjectPath) async {
    let news = news.continuation
    defer { news.yield(.gone(tree)) }
    do {
      let mirror = try await WindowMirror.attach(to: tree, of: session.daemon, kind: "watch")
      for try await event in mirror.events {
        switch event {
        // Reported once, not by each tree.
        case .daemonLost, .daemonBack: continue
        default: news.yield(.shown(tree, event))
        }
        if case .ended = event { return }
      }
    } catch {
      // Another user's tree, of a restricted flow, is not followed.
      if error.cause != .denied, !error.isUnknownObject { news.yield(.failed(error)) }
    }
  }
}
