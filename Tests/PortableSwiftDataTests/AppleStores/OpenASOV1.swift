import Foundation
import SwiftData

/// An app's first schema as the model cache of its store has it. Its to-many relationships have no inverse
/// where the to-one side is mandatory: SwiftData pairs undeclared ones only if that is optional.
enum OpenASOV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  static var models: [any PersistentModel.Type] {
    [
      OpenASOV1.AppDailyRating.self,
      OpenASOV1.AppFolder.self,
      OpenASOV1.AppKeywordStats.self,
      OpenASOV1.AppStorefrontMetadata.self,
      OpenASOV1.AppStorefrontReview.self,
      OpenASOV1.AppStoreScreenshot.self,
      OpenASOV1.KeywordAppRanking.self,
      OpenASOV1.KeywordDailyMetric.self,
      OpenASOV1.KeywordQuery.self,
      OpenASOV1.KeywordRankingCrawl.self,
      OpenASOV1.LatestAppRating.self,
      OpenASOV1.StoreApp.self,
      OpenASOV1.Storefront.self,
      OpenASOV1.TrackedApp.self,
      OpenASOV1.TrackedAppKeyword.self,
      OpenASOV1.TrackedKeywordDailyRanking.self,
      OpenASOV1.TrackedKeywordRankedResult.self,
    ]
  }

  @Model
  final class AppDailyRating {
    #Index<OpenASOV1.AppDailyRating>(
      [\.storefront],
      [\.storefront, \.appStoreID],
      [\.storefront, \.appStoreID, \.ratingDate],
      [\.appStoreID])
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var averageRating: Double?
    var confidenceRaw: String?
    var fiveStarRatingCount: Int?
    var fourStarRatingCount: Int?
    var observedAt: Date
    var oneStarRatingCount: Int?
    var ratingCount: Int?
    var ratingDate: String
    var sourceRaw: String
    var storefront: String
    var submissionCount: Int
    var threeStarRatingCount: Int?
    var twoStarRatingCount: Int?
    var winningCount: Int
    var storeApp: OpenASOV1.StoreApp?

    init() { onlyRead() }
  }

  @Model
  final class AppFolder {
    @Attribute(.unique) var id: UUID
    var colorRaw: String = "blue"
    var createdAt: Date
    var isExpanded: Bool
    var name: String
    var sortOrder: Int
    @Relationship(inverse: \OpenASOV1.TrackedApp.folder) var apps: [OpenASOV1.TrackedApp]

    init() { onlyRead() }
  }

  @Model
  final class AppKeywordStats {
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var averageRank: Double?
    var bestRank: Int?
    var difficultyScore: Int?
    var firstSeenAt: Date
    var keyword: String
    var lastSeenAt: Date
    var latestRank: Int?
    var observationCount: Int
    var platformRaw: String
    var popularityScore: Int?
    var queryKey: String
    var storefront: String

    init() { onlyRead() }
  }

  @Model
  final class AppStorefrontMetadata {
    #Index<OpenASOV1.AppStorefrontMetadata>(
      [\.storefront],
      [\.storefront, \.appStoreID],
      [\.appStoreID])
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var currentVersionReleaseDate: Date?
    var defaultPlatformRaw: String
    var descriptionText: String?
    var iconURLString: String?
    var isAvailable: Bool
    var isLocalized: Bool?
    var lastFetchedAt: Date
    var name: String
    var primaryGenreID: Int?
    var primaryGenreName: String?
    var releaseDate: Date?
    var releaseNotes: String?
    var sellerName: String?
    var servedLanguageCode: String?
    var sourceRaw: String
    var storefront: String
    var storefrontLanguageCode: String?
    var subtitle: String?
    var version: String?
    @Relationship(deleteRule: .cascade) var screenshots: [OpenASOV1.AppStoreScreenshot]
    var storeApp: OpenASOV1.StoreApp

    init() { onlyRead() }
  }

  @Model
  final class AppStorefrontReview {
    @Attribute(.unique) var reviewKey: String
    var appStoreID: Int
    var ascReviewID: String?
    var assumedLanguageCode: String?
    var assumedLanguageConfidence: Double?
    var content: String
    var developerResponseBody: String?
    var developerResponseID: String?
    var developerResponseModifiedAt: Date?
    var developerResponseState: String?
    var observedAt: Date
    var rating: Int
    var reviewID: String
    var reviewedAt: Date
    var reviewerName: String
    var sourceRaw: String
    var storefront: String
    var title: String
    var translatedAt: Date?
    var translatedContent: String?
    var translatedTitle: String?
    var translationLanguage: String?
    var translationModelID: String?
    var translationProviderRaw: String?
    var version: String?
    var storeApp: OpenASOV1.StoreApp?

    init() { onlyRead() }
  }

  @Model
  final class AppStoreScreenshot {
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var displayTypeRaw: String
    var height: Int?
    var lastFetchedAt: Date
    var platformRaw: String
    var sortOrder: Int
    var sourceRaw: String
    var storefront: String
    var urlString: String
    var width: Int?
    var metadata: OpenASOV1.AppStorefrontMetadata

    init() { onlyRead() }
  }

  @Model
  final class KeywordAppRanking {
    #Index<OpenASOV1.KeywordAppRanking>(
      [\.crawlKey],
      [\.queryKey],
      [\.queryKey, \.appStoreID],
      [\.queryKey, \.appStoreID, \.observedAt],
      [\.queryKey, \.position],
      [\.appStoreID, \.queryKey, \.observedAt])
    @Attribute(.unique) var itemKey: String
    var appStoreID: Int
    var bundleID: String?
    var crawlKey: String
    var name: String
    var observedAt: Date
    var platformRaw: String
    var position: Int
    var queryKey: String
    var sellerName: String?
    var storefront: String
    var subtitle: String?
    var observation: OpenASOV1.KeywordRankingCrawl

    init() { onlyRead() }
  }

  @Model
  final class KeywordDailyMetric {
    #Index<OpenASOV1.KeywordDailyMetric>([\.queryKey], [\.updatedAt])
    @Attribute(.unique) var queryKey: String
    var confidenceRaw: String?
    var difficultyScore: Int?
    var keyword: String
    var notes: String?
    var platformRaw: String
    var popularityDate: String?
    var popularityScore: Int?
    var sourceRaw: String
    var storefront: String
    var submissionCount: Int
    var updatedAt: Date
    var winningCount: Int

    init() { onlyRead() }
  }

  @Model
  final class KeywordQuery {
    @Attribute(.unique) var queryKey: String
    var platformRaw: String
    var storefront: String
    var term: String
    var observations: [OpenASOV1.KeywordRankingCrawl]
    var tracks: [OpenASOV1.TrackedAppKeyword]

    init() { onlyRead() }
  }

  @Model
  final class KeywordRankingCrawl {
    #Index<OpenASOV1.KeywordRankingCrawl>([\.queryKey], [\.queryKey, \.observedAt], [\.observedAt])
    @Attribute(.unique) var observationKey: String
    var confidenceRaw: String?
    var keyword: String
    var observedAt: Date
    var observedHour: Int
    var platformRaw: String
    var queryKey: String
    var resultCount: Int
    var sourceRaw: String
    var storefront: String
    var submissionCount: Int
    var winningCount: Int
    var items: [OpenASOV1.KeywordAppRanking]
    var query: OpenASOV1.KeywordQuery

    init() { onlyRead() }
  }

  @Model
  final class LatestAppRating {
    #Index<OpenASOV1.LatestAppRating>([\.storefront], [\.storefront, \.appStoreID], [\.appStoreID])
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var averageRating: Double?
    var confidenceRaw: String?
    var fiveStarRatingCount: Int?
    var fourStarRatingCount: Int?
    var observedAt: Date
    var oneStarRatingCount: Int?
    var ratingCount: Int?
    var ratingDate: String
    var sourceRaw: String
    var storefront: String
    var submissionCount: Int
    var threeStarRatingCount: Int?
    var twoStarRatingCount: Int?
    var winningCount: Int
    var storeApp: OpenASOV1.StoreApp?

    init() { onlyRead() }
  }

  @Model
  final class StoreApp {
    #Index<OpenASOV1.StoreApp>([\.appStoreID])
    @Attribute(.unique) var appStoreID: Int
    var bundleID: String?
    var currentVersionReleaseDate: Date?
    var defaultPlatformRaw: String
    var defaultStorefront: String
    var iconURLString: String?
    var lastMetadataRefreshAt: Date
    var name: String
    var primaryGenreID: Int?
    var primaryGenreName: String?
    var releaseDate: Date?
    var sellerName: String?
    var subtitle: String?
    var supportedLanguageCodes: [String]
    var supportedLanguageCodesFetchedAt: Date?
    var supportedLanguageCodesSourceRaw: String?
    var version: String?
    @Relationship(inverse: \OpenASOV1.AppDailyRating.storeApp)
    var ratingSnapshots: [OpenASOV1.AppDailyRating]
    @Relationship(inverse: \OpenASOV1.AppStorefrontReview.storeApp)
    var reviews: [OpenASOV1.AppStorefrontReview]
    @Relationship(inverse: \OpenASOV1.LatestAppRating.storeApp)
    var storefrontLatest: [OpenASOV1.LatestAppRating]
    var storefrontMetadata: [OpenASOV1.AppStorefrontMetadata]

    init() { onlyRead() }
  }

  @Model
  final class Storefront {
    @Attribute(.unique) var code: String
    var flagEmoji: String
    var languageCode: String
    var name: String

    init(code: String, flagEmoji: String, languageCode: String, name: String) {
      self.code = code
      self.flagEmoji = flagEmoji
      self.languageCode = languageCode
      self.name = name
    }
  }

  @Model
  final class TrackedApp {
    @Attribute(.unique) var appStoreID: Int
    var createdAt: Date
    var isPinned: Bool = false
    var sidebarSortOrder: Int = 0
    var folder: OpenASOV1.AppFolder?
    var keywordTracks: [OpenASOV1.TrackedAppKeyword]
    var storeApp: OpenASOV1.StoreApp

    init() { onlyRead() }
  }

  @Model
  final class TrackedAppKeyword {
    #Index<OpenASOV1.TrackedAppKeyword>(
      [\.appStoreID],
      [\.appStoreID, \.storefront],
      [\.appStoreID, \.createdAt],
      [\.identityKey])
    @Attribute(.unique) var identityKey: String
    var appStoreID: Int
    var createdAt: Date
    var lastRefreshAt: Date?
    var notes: String
    var platformRaw: String
    var rankingAppCount: Int?
    var statusMessage: String?
    var storefront: String
    var term: String
    var query: OpenASOV1.KeywordQuery
    var snapshots: [OpenASOV1.TrackedKeywordDailyRanking]
    var trackedApp: OpenASOV1.TrackedApp

    init() { onlyRead() }
  }

  @Model
  final class TrackedKeywordDailyRanking {
    @Attribute(.unique) var snapshotKey: String
    var errorMessage: String?
    var rank: Int?
    var resultCount: Int
    var searchedAt: Date
    var sourceRaw: String
    var trackIdentityKey: String
    var keywordTrack: OpenASOV1.TrackedAppKeyword
    var topResults: [OpenASOV1.TrackedKeywordRankedResult]

    init() { onlyRead() }
  }

  @Model
  final class TrackedKeywordRankedResult {
    var appStoreID: Int
    var bundleID: String?
    var name: String
    var position: Int
    var sellerName: String?
    var snapshotKey: String
    var subtitle: String?
    var snapshot: OpenASOV1.TrackedKeywordDailyRanking

    init() { onlyRead() }
  }
}
