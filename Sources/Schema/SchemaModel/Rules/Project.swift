/// Facts about schemagen as a project.
package enum Project {
  /// The repository's address. Its owner is a placeholder until the repository is public.
  package static let repository = "https://github.com/OWNER/schemagen"

  /// Whether the addresses exist. Until then, no file that is written for users has one.
  package static let isPublished = !repository.contains("/OWNER/")

  package static let version = "0.1.0"

  /// The address of raw files. Append a tag, such as `v1.2.3`, and a path.
  package static let files = repository.replacing(
    "//github.com/", with: "//raw.githubusercontent.com/")
}
