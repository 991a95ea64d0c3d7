import Foundation
import SwiftData

/// Three releases after `OpenASOV1`: four entities more, and the others as they were.
enum OpenASOV4: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }

  static var models: [any PersistentModel.Type] {
    [
      OpenASOV4.AppDailyRating.self,
      OpenASOV4.AppFolder.self,
      OpenASOV4.AppKeywordStats.self,
      OpenASOV4.AppStorefrontMetadata.self,
      OpenASOV4.AppStorefrontReview.self,
      OpenASOV4.AppStoreScreenshot.self,
      OpenASOV4.EstimatedKeywordDifficultyMetric.self,
      OpenASOV4.EstimatedKeywordDifficultyResultEvidenceRecord.self,
      OpenASOV4.KeywordAppRanking.self,
      OpenASOV4.KeywordDailyMetric.self,
      OpenASOV4.KeywordQuery.self,
      OpenASOV4.KeywordRankingCrawl.self,
      OpenASOV4.LatestAppRating.self,
      OpenASOV4.StoreApp.self,
      OpenASOV4.Storefront.self,
      OpenASOV4.TrackedApp.self,
      OpenASOV4.TrackedAppKeyword.self,
      OpenASOV4.TrackedAppKeywordRefreshAttempt.self,
      OpenASOV4.TrackedKeywordDailyRanking.self,
      OpenASOV4.TrackedKeywordRankedResult.self,
      OpenASOV4.TrackedKeywordRefreshStatus.self,
    ]
  }

  @Model
  final class AppDailyRating {
    #Index<OpenASOV4.AppDailyRating>(
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
    var storeApp: OpenASOV4.StoreApp?

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
    @Relationship(inverse: \OpenASOV4.TrackedApp.folder) var apps: [OpenASOV4.TrackedApp]

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
    #Index<OpenASOV4.AppStorefrontMetadata>(
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
    @Relationship(deleteRule: .cascade) var screenshots: [OpenASOV4.AppStoreScreenshot]
    var storeApp: OpenASOV4.StoreApp

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
    var storeApp: OpenASOV4.StoreApp?

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
    var metadata: OpenASOV4.AppStorefrontMetadata

    init() { onlyRead() }
  }

  @Model
  final class EstimatedKeywordDifficultyMetric {
    #Index<OpenASOV4.EstimatedKeywordDifficultyMetric>(
      [\.queryKey],
      [\.rankingSourceRaw],
      [\.rankingFetchedAt],
      [\.computedAt])
    @Attribute(.unique) var metricKey: String
    var algorithmIdentifier: String
    var algorithmVersion: Int
    var calculationID: UUID
    var computedAt: Date
    var confidenceRaw: String?
    var confidenceScore: Int?
    var consideredResultCount: Int
    var estimationSourceRaw: String
    var exactSubtitlePhraseMatchCount: Int
    var exactTitlePhraseMatchCount: Int
    var fallbackCategoryRaw: String?
    var fallbackHTTPStatus: Int?
    var fallbackProviderRaw: String?
    var fallbackResponseFailureRaw: String?
    var fallbackTransportCode: Int?
    var keyword: String
    var maximumRatingCount: Int?
    var medianRatingCount: Int?
    var metadataSaturationScore: Int?
    var notes: [String]
    var platformRaw: String
    var providerResultCount: Int
    var queryKey: String
    var rankingFetchedAt: Date
    var rankingSourceRaw: String
    var ratedResultCount: Int
    var ratingAuthorityScore: Int?
    var requestedResultLimit: Int
    var score: Int?
    var stateRaw: String
    var storefront: String
    var unavailableReasonRaw: String?
    var weightedRatingCoveragePercentage: Int

    init() { onlyRead() }
  }

  @Model
  final class EstimatedKeywordDifficultyResultEvidenceRecord {
    #Index<OpenASOV4.EstimatedKeywordDifficultyResultEvidenceRecord>(
      [\.queryKey],
      [\.queryKey, \.calculationID],
      [\.calculationID, \.position])
    @Attribute(.unique) var evidenceKey: String
    var appStoreID: Int
    var calculationID: UUID
    var combinedTokenCoveragePercentage: Int?
    var exactSubtitlePhraseMatch: Bool
    var exactTitlePhraseMatch: Bool
    var metadataMatchScore: Int?
    var position: Int
    var queryKey: String
    var ratingAuthorityScore: Int?
    var ratingCount: Int?
    var subtitle: String?
    var title: String
    var titleTokenCoveragePercentage: Int?

    init() { onlyRead() }
  }

  @Model
  final class KeywordAppRanking {
    #Index<OpenASOV4.KeywordAppRanking>(
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
    var observation: OpenASOV4.KeywordRankingCrawl

    init() { onlyRead() }
  }

  @Model
  final class KeywordDailyMetric {
    #Index<OpenASOV4.KeywordDailyMetric>([\.queryKey], [\.updatedAt])
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
    var observations: [OpenASOV4.KeywordRankingCrawl]
    var tracks: [OpenASOV4.TrackedAppKeyword]

    init() { onlyRead() }
  }

  @Model
  final class KeywordRankingCrawl {
    #Index<OpenASOV4.KeywordRankingCrawl>([\.queryKey], [\.queryKey, \.observedAt], [\.observedAt])
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
    var items: [OpenASOV4.KeywordAppRanking]
    var query: OpenASOV4.KeywordQuery

    init() { onlyRead() }
  }

  @Model
  final class LatestAppRating {
    #Index<OpenASOV4.LatestAppRating>([\.storefront], [\.storefront, \.appStoreID], [\.appStoreID])
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
    var storeApp: OpenASOV4.StoreApp?

    init() { onlyRead() }
  }

  @Model
  final class StoreApp {
    #Index<OpenASOV4.StoreApp>([\.appStoreID])
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
    @Relationship(inverse: \OpenASOV4.AppDailyRating.storeApp)
    var ratingSnapshots: [OpenASOV4.AppDailyRating]
    @Relationship(inverse: \OpenASOV4.AppStorefrontReview.storeApp)
    var reviews: [OpenASOV4.AppStorefrontReview]
    @Relationship(inverse: \OpenASOV4.LatestAppRating.storeApp)
    var storefrontLatest: [OpenASOV4.LatestAppRating]
    var storefrontMetadata: [OpenASOV4.AppStorefrontMetadata]

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
    var folder: OpenASOV4.AppFolder?
    var keywordTracks: [OpenASOV4.TrackedAppKeyword]
    var storeApp: OpenASOV4.StoreApp

    init() { onlyRead() }
  }

  @Model
  final class TrackedAppKeyword {
    #Index<OpenASOV4.TrackedAppKeyword>(
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
    var query: OpenASOV4.KeywordQuery
    var snapshots: [OpenASOV4.TrackedKeywordDailyRanking]
    var trackedApp: OpenASOV4.TrackedApp

    init() { onlyRead() }
  }

  @Model
  final class TrackedAppKeywordRefreshAttempt {
    #Index<OpenASOV4.TrackedAppKeywordRefreshAttempt>([\.appStoreID])
    @Attribute(.unique) var trackIdentityKey: String
    var appStoreID: Int
    var lastRankingRefreshAttemptAt: Date

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
    var keywordTrack: OpenASOV4.TrackedAppKeyword
    var topResults: [OpenASOV4.TrackedKeywordRankedResult]

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
    var snapshot: OpenASOV4.TrackedKeywordDailyRanking

    init() { onlyRead() }
  }

  @Model
  final class TrackedKeywordRefreshStatus {
    #Index<OpenASOV4.TrackedKeywordRefreshStatus>(
      [\.trackIdentityKey],
      [\.appStoreID],
      [\.trackIdentityKey, \.trackCreatedAt, \.domainRaw])
    @Attribute(.unique) var statusKey: String
    var appStoreID: Int
    var domainRaw: String
    var message: String?
    var trackCreatedAt: Date
    var trackIdentityKey: String
    var updatedAt: Date

    init() { onlyRead() }
  }
}
