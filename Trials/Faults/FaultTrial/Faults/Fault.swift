import Glibc

/// An operation that fails, and the way in which it fails.
public struct Fault: Sendable, Hashable {
  /// The way in which an operation fails.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The disk fails (`EIO`).
    case io = "EIO"
    /// There is no room (`ENOSPC`).
    case full = "ENOSPC"
    /// A signal interrupts the operation (`EINTR`).
    case interrupted = "EINTR"
    /// Half of the data is written; if the fault lasts, there is no room for the other half.
    case short
  }

  /// The id of the site.
  public var site: UInt64
  /// The operation.
  public var operation: FileOperation
  /// The kind of file.
  public var file: FileKind
  /// The number of the operation at the site, from 1.
  public var occurrence: UInt32
  /// The way in which it fails.
  public var kind: Kind
  /// Whether the operations of ``scope`` keep failing until the fault is cleared.
  public var lasts: Bool

  /// Creates a fault.
  public init(
    site: UInt64, operation: FileOperation, file: FileKind, occurrence: UInt32, kind: Kind, lasts: Bool
  ) {
    (self.site, self.operation, self.file) = (site, operation, file)
    (self.occurrence, self.kind, self.lasts) = (occurrence, kind, lasts)
  }

  /// The error number of the failing operation.
  public var error: Int32 {
    switch kind {
    case .io: EIO
    case .full, .short: ENOSPC
    case .interrupted: EINTR
    }
  }

  /// The operations that fail while the fault lasts: on a full disk those that need room; if reading or syncing fails, only
  /// that operation; else all.
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
  /// Returns the ways in which an operation can fail.
  static func fitting(_ operation: FileOperation) -> [Fault.Kind] {
    switch operation {
    case .read: [.io, .interrupted]
    case .write: [.io, .full, .interrupted, .short]
    case .create, .sync, .rename, .mkdir: [.io, .full]
    case .truncate, .allocate: [.io, .full, .interrupted]
    case .open, .unlink, .stat: [.io]
    }
  }

  /// Whether the fault can last. An operation that is always interrupted would be retried forever.
  var canLast: Bool { self != .interrupted }
}

extension Fault: LosslessStringConvertible {
  /// Parses a ``description``; returns nil for anything else.
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

  /// The fault in the form used on the command line: `write-wal-1f3a9c:2:EIO:once`.
  public var description: String {
    "\(operation.name)-\(file.name)-\(String(site, radix: 16)):\(occurrence):\(kind.rawValue):\(lasts ? "lasting" : "once")"
  }
}
