/// The project itself.
package enum Project {
  /// Where its repository is. The owner is a placeholder until it has a public address.
  package static let repository = "https://github.com/OWNER/schemagen"

  /// The version that this checkout is of.
  package static let version = "0.1.0"

  /// Where the files of a version are read from, in a folder that is called after its tag: `v1.2.3`.
  package static let files = repository.replacing(
    "//github.com/", with: "//raw.githubusercontent.com/")
}
