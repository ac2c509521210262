public struct Signature: Sendable, Hashable {}
public struct ObjectPath: Sendable, Hashable {}
public struct DictionaryEntry: Sendable, Hashable { public var key: Value; public var value: Value }
public indirect enum SingleType: Sendable, Hashable { case byte }
