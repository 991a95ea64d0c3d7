internal import ArgumentParser
internal import SchemaModel

extension VersionNumber: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
