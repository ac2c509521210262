import Glibc

/// One operation that fails, and how.
public struct Fault: Sendable, Hashable {
  /// What the daemon is told.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The disk does not do it.
    case io = "EIO"
    /// There is no room.
    case full = "ENOSPC"
    /// A signal has interrupted it.
    case interrupted = "EINTR"
    /// Half of it is written; if it lasts, there is no room for the other half.
    case short
  }

  /// Where it happens.
  public var site: UInt64
  /// What fails.
  public var operation: FileOperation
  /// On which file.
  public var file: FileKind
  /// The so-manieth time, from 1 on.
  public var occurrence: UInt32
  /// How.
  public var kind: Kind
  /// Whether what comes after it fails as well, until the fault is gone.
  public var lasts: Bool

  /// Puts a fault together.
  public init(
    site: UInt64, operation: FileOperation, file: FileKind, occurrence: UInt32, kind: Kind, lasts: Bool
  ) {
    (self.site, self.operation, self.file) = (site, operation, file)
    (self.occurrence, self.kind, self.lasts) = (occurrence, kind, lasts)
  }

  /// What `errno` says.
  public var error: Int32 {
    switch kind {
    case .io: EIO
    case .full, .short: ENOSPC
    case .interrupted: EINTR
    }
  }

  /// Which operations fail as long as it lasts: on a full disk those that need room; if only reading or syncing fails, that; else all.
  public var scope: Set<FileOperation> {
    switch (kind, operation) {
    case (.full, .sync): [.create, .write, .allocate, .mkdir, .rename, .sync]
    case (.full, _), (.short, _): [.create, .write, .allocate, .mkdir, .rename]
    case (.io, .sync): [.sync]
    case (.io, .read): [.read]
    case (.io, _): Set(FileOperation.allCases)
    case (.interrupted, _): []
    }
  }
}

extension Fault.Kind {
  /// How an operation can fail.
  static func fitting(_ operation: FileOperation) -> [Fault.Kind] {
    switch operation {
    case .read: [.io, .interrupted]
    case .write: [.io, .full, .interrupted, .short]
    case .create, .sync, .rename, .mkdir: [.io, .full]
    case .truncate, .allocate: [.io, .full, .interrupted]
    case .open, .unlink, .stat: [.io]
    }
  }

  /// Whether it can last. What is interrupted again and again is tried again and again, for ever.
  var canLast: Bool { self != .interrupted }
}

extension Fault: LosslessStringConvertible {
  /// Reads what ``description`` says; nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ":")
    let place = parts.first?.split(separator: "-") ?? []
    guard parts.count == 4, place.count == 3, let operation = FileOperation.allCases.first(where: { $0.name == place[0] }),
      let file = FileKind.allCases.first(where: { $0.name == place[1] }), let site = UInt64(place[2], radix: 16),
      let occurrence = UInt32(parts[1]), let kind = Kind(rawValue: String(parts[2])), ["once", "lasting"].contains(parts[3])
    else { return nil }
    self.init(
      site: site, operation: operation, file: file, occurrence: occurrence, kind: kind, lasts: parts[3] == "lasting")
  }

  /// For a command line: `write-wal-1f3a9c:2:EIO:once`.
  public var description: String {
    "\(operation.name)-\(file.name)-\(String(site, radix: 16)):\(occurrence):\(kind.rawValue):\(lasts ? "lasting" : "once")"
  }
}
