/// The project itself.
package enum Project {
  /// The repository's address. The owner is a placeholder until it has a public address.
  package static let repository = "https://github.com/OWNER/schemagen"

  /// The version of this checkout.
  package static let version = "0.1.0"

  /// The folder for files of a version, named after its tag: `v1.2.3`.
  package static let files = repository.replacing(
    "//github.com/", with: "//raw.githubusercontent.com/")
}
