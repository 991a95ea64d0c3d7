public struct ModelIdentity: Hashable, Sendable {}
extension ManagedModel { public var identity: ModelIdentity { fatalError() } }
