/// The evidence for a rule or a row of the classification table.
package struct Basis: Hashable, Sendable {
  /// How certain it is.
  package enum Mark: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Files that Apple's frameworks wrote, Apple's public interface, or a published specification.
    case certain
    /// Public analyses of the framework, or two independent projects.
    case likely
    case unverified
  }

  /// A page of docs/facts; its raw value is the file's name.
  package enum FactPage: String, Hashable, Sendable {
    case swiftData = "swiftdata"
    case identity
    case migration
    case storeFormat = "store-format"
    case tooling
    case cloudKit = "cloudkit"
  }

  /// A guide that the project is based on, by its title.
  package enum Guide: String, Hashable, Sendable {
    case schemaMigration = "SwiftData Schema Migration Guide"
    case ritualist = "Ritualist Schema Migration Guide"
    case schemaChange = "Schema Change Guidelines"
    case versionedSchema = "SwiftData Migration and Versioned Schema"
  }

  /// Where the evidence is documented.
  package enum Source: Hashable, Sendable {
    case fact(FactPage, anchor: String)
    /// A page of docs, without its suffix.
    case page(String, anchor: String?)
    case guide(Guide, place: String)
    /// A publication by others.
    case publication(String)
  }

  package let source: Source
  package let mark: Mark

  /// A fact of docs/facts. A test checks that its mark is that of the page.
  package static func fact(_ page: FactPage, _ anchor: String, _ mark: Mark) -> Basis {
    Basis(source: .fact(page, anchor: anchor), mark: mark)
  }

  /// A page of the documentation about schemagen itself.
  package static func page(_ name: String, _ anchor: String? = nil) -> Basis {
    Basis(source: .page(name, anchor: anchor), mark: .certain)
  }

  /// A passage in a guide.
  package static func guide(_ guide: Guide, _ place: String) -> Basis {
    Basis(source: .guide(guide, place: place), mark: .certain)
  }

  package static func publication(_ name: String, _ mark: Mark = .certain) -> Basis {
    Basis(source: .publication(name), mark: mark)
  }

  /// A rule of the manifest format itself.
  package static let manifest = Basis.page("manifest")
}

extension Basis: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject(["source": text, "mark": mark]).encode(to: encoder)
  }
}

extension Basis {
  /// The address of the project's documentation, for texts that are read outside its repository.
  package static let documentation = Project.repository + "/blob/main/docs/"

  /// The place of the evidence in plain text: `docs/facts/migration.md#add-model`.
  package var text: String {
    if let path { return "docs/" + path }
    return switch source {
    case .guide(let guide, let place): "\(guide.rawValue), \(place)"
    case .publication(let name): name
    case .fact, .page: ""
    }
  }

  /// The place for readers without the repository: the web address of a page of the documentation.
  package var address: String { path.map { Self.documentation + $0 } ?? text }

  /// The place of the evidence in Markdown, as a link if it is a page of the documentation.
  ///
  /// - Parameter docs: The path of the documentation folder, relative to the text: `../`, or a URL with a trailing
  ///   slash.
  package func markdown(docs: String) -> String {
    guard let path else { return text }
    return "[\(title)](\(docs)\(path))"
  }

  /// The file and its anchor, relative to docs.
  private var path: String? {
    switch source {
    case .fact(let page, let anchor): "facts/\(page.rawValue).md#\(anchor)"
    case .page(let name, let anchor): name + ".md" + (anchor.map { "#" + $0 } ?? "")
    case .guide, .publication: nil
    }
  }

  /// The page and the anchor in words: `migration: add model`.
  private var title: String {
    switch source {
    case .fact(let page, let anchor): "\(page.rawValue): \(Self.words(anchor))"
    case .page(let name, let anchor): name + (anchor.map { ": " + Self.words($0) } ?? "")
    case .guide, .publication: text
    }
  }

  private static func words(_ anchor: String) -> String {
    String(anchor.map { $0 == "-" ? " " : $0 })
  }
}
