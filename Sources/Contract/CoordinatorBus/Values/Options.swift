import DBus
import Languages

/// The options of a call, decoded as strictly as the contract requires: an unknown key or a wrong type is
/// `InvalidArgs`.
///
/// A method names the keys that it supports: `try Options(vardict, allowing: [.request, .seen])`.
public struct Options: Sendable, Hashable {
  /// The option keys of all methods.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    case request, token, lifetime, timeout, seen, style, fresh, language
  }

  /// The lifetime of a root coordinator.
  public enum Lifetime: String, Sendable, Hashable, CaseIterable {
    /// The coordinator lives until it ends.
    case daemon
    /// The coordinator lives until it ends or its caller leaves the bus.
    case caller
  }

  /// The way in which a child coordinator is shown.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// The child's screens are on top of its parent's layer.
    case push
    /// The child has its own layer.
    case modal
  }

  /// The request key, which makes the call safe to repeat: 1 to 64 characters of `[A-Za-z0-9_-]`.
  public var request: String?
  /// The token that names a root coordinator: 1 to 64 characters of `[A-Za-z0-9_]`.
  public var token: String?
  /// The lifetime of a root coordinator.
  public var lifetime: Lifetime?
  /// The time after which the flow is dismissed, in microseconds, regardless of changes to the clock; never 0.
  public var timeout: UInt64?
  /// The revision that the user was looking at.
  public var seen: UInt64?
  /// The way in which a child is shown.
  public var style: Style?
  /// Whether to start a flow again although the token's flow has ended.
  public var fresh: Bool?
  /// The initial language of the screens.
  public var language: LanguageTag?

  /// Creates options to send. They are not checked: the sender must know which ones the method supports.
  public init(
    request: String? = nil, token: String? = nil, lifetime: Lifetime? = nil, timeout: UInt64? = nil,
    seen: UInt64? = nil, style: Style? = nil, fresh: Bool? = nil,
    language: LanguageTag? = nil
  ) {
    self.request = request
    self.token = token
    self.lifetime = lifetime
    self.timeout = timeout
    self.seen = seen
    self.style = style
    self.fresh = fresh
    self.language = language
  }

  /// The options' representation on the bus, without those that are nil.
  public var value: Value {
    var options: [String: Value] = [:]
    options[Key.request.rawValue] = request.map(Value.string)
    options[Key.token.rawValue] = token.map(Value.string)
    options[Key.lifetime.rawValue] = lifetime.map { .string($0.rawValue) }
    options[Key.timeout.rawValue] = timeout.map(Value.uint64)
    options[Key.seen.rawValue] = seen.map(Value.uint64)
    options[Key.style.rawValue] = style.map { .string($0.rawValue) }
    options[Key.fresh.rawValue] = fresh.map(Value.boolean)
    options[Key.language.rawValue] = language.map { .string($0.description) }
    return .vardict(options)
  }
}
