import Foundation
import SwiftData

/// Owners and pets. Each version has both models; what they are to each other is what changes.
enum Relations {
  /// Strangers to each other.
  enum Alone: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner: Named {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Pet: Named {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      context.insert(Owner(name: "o"))
      context.insert(Pet(name: "p"))
    }
  }

  /// A pet may have an owner, who has pets.
  enum Paired: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String, owner: Owner?) {
        self.name = name
        self.owner = owner
      }
    }

    /// Owners a and b; pets of a, of b, and of nobody.
    static func fill(_ context: ModelContext) throws {
      let (a, b) = (Owner(name: "a"), Owner(name: "b"))
      context.insert(a)
      context.insert(b)
      for (name, owner) in [("p", a), ("q", b), ("r", nil)] as [(String, Owner?)] {
        context.insert(Pet(name: name, owner: owner))
      }
    }

    /// The same without the pet of nobody.
    static func fillAll(_ context: ModelContext) throws {
      let a = Owner(name: "a")
      context.insert(a)
      context.insert(Pet(name: "p", owner: a))
    }
  }

  /// As `Alone`, and later.
  enum Parted: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner: Named {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Pet: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// A pet must have an owner.
  enum Owned: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner
      init(name: String, owner: Owner) {
        self.name = name
        self.owner = owner
      }
    }
  }

  /// A pet must have an owner, from the first.
  enum OwnedFirst: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner
      init(name: String, owner: Owner) {
        self.name = name
        self.owner = owner
      }
    }

    static func fill(_ context: ModelContext) throws {
      let a = Owner(name: "a")
      context.insert(a)
      context.insert(Pet(name: "p", owner: a))
    }
  }

  /// Each pet is given an owner while old and new are both on disk.
  enum Assigned: Third, Bridged {
    typealias Old = Alone
    typealias Bridge = Paired
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner
      init(name: String, owner: Owner) {
        self.name = name
        self.owner = owner
      }
    }

    static func work(_ context: ModelContext) throws {
      let owner = try context.all(Paired.Owner.self).first
      for pet in try context.all(Paired.Pet.self) { pet.owner = owner }
    }
  }

  /// Both ends by other names.
  enum Renamed: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(originalName: "pets", inverse: \Pet.keeper) var animals: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      @Relationship(originalName: "owner") var keeper: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// Only the to-many end by another name.
  enum OtherInverse: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(originalName: "pets", inverse: \Pet.owner) var animals: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// The to-many end is optional.
  enum OptionalList: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet]? = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// Pets have several owners.
  enum Shared: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: [Owner] = []
      init(name: String) { self.name = name }
    }
  }

  /// An owner has one pet, which knows nothing of it.
  enum OneSided: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      var pet: Pet?
      init(name: String, pet: Pet?) {
        self.name = name
        self.pet = pet
      }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      let pet = Pet(name: "p")
      context.insert(pet)
      context.insert(Owner(name: "a", pet: pet))
    }
  }

  /// An owner has several pets, which know of it in the same step.
  enum NewInverse: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owner) var pet: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// An owner has several pets, which know nothing of it.
  enum NoInverse: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      var pet: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// Many owners and many pets.
  enum Many: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owners) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owners: [Owner] = []
      init(name: String) { self.name = name }
    }

    /// One pet of two owners.
    static func fill(_ context: ModelContext) throws {
      let pet = Pet(name: "p")
      context.insert(pet)
      for name in ["a", "b"] {
        let owner = Owner(name: name)
        context.insert(owner)
        owner.pets = [pet]
      }
    }
  }

  /// As `Many`, and something that makes a migration run.
  enum ManyMore: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      var more: Int?
      @Relationship(inverse: \Pet.owners) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owners: [Owner] = []
      init(name: String) { self.name = name }
    }
  }

  /// A model comes whose name is before the others': all numbers of entities move.
  enum ManyAndEarlier: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self, Aardvark.self] }
    @Model final class Aardvark {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owners) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owners: [Owner] = []
      init(name: String) { self.name = name }
    }
  }

  /// Pets forget their owners, who keep their pets.
  enum Exclusive: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// A pet has one of its owners left.
  enum OneOfMany: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(inverse: \Pet.owners) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owners: Owner?
      init(name: String) { self.name = name }
    }
  }

  // MARK: Destinations

  enum ToPet: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self, Plant.self] }
    @Model final class Owner {
      var love: Pet?
      init(love: Pet?) { self.love = love }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Plant {
      var name: String
      init(name: String) { self.name = name }
    }

    /// The pet and a plant are the first rows of their tables.
    static func fill(_ context: ModelContext) throws {
      let pet = Pet(name: "pet")
      context.insert(pet)
      context.insert(Plant(name: "plant"))
      context.insert(Owner(love: pet))
    }
  }

  enum ToPlant: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self, Plant.self] }
    @Model final class Owner {
      var love: Plant?
      init(love: Plant?) { self.love = love }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Plant {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum ToBoth: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self, Animal.self] }
    @Model final class Owner {
      var love: Pet?
      var newLove: Animal?
      init(love: Pet?) { self.love = love }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Animal {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum ToPetAlone: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var love: Pet?
      init(love: Pet?) { self.love = love }
    }
    @Model final class Pet {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws {
      for name in ["other", "pet"] {
        let pet = Pet(name: name)
        context.insert(pet)
        if name == "pet" { context.insert(Owner(love: pet)) }
      }
    }
  }

  /// `Pet` is `Animal` now, and what led there follows.
  enum Followed: Third, Bridged {
    typealias Old = ToPetAlone
    typealias Bridge = ToBoth
    static var models: [any PersistentModel.Type] { [Owner.self, Animal.self] }
    @Model final class Owner {
      var newLove: Animal?
      init(newLove: Animal?) { self.newLove = newLove }
    }
    @Model final class Animal {
      var name: String
      init(name: String) { self.name = name }
    }

    static func work(_ context: ModelContext) throws {
      var animals: [String: ToBoth.Animal] = [:]
      for pet in try context.all(ToBoth.Pet.self) {
        let animal = ToBoth.Animal(name: pet.name)
        context.insert(animal)
        animals[pet.name] = animal
      }
      for owner in try context.all(ToBoth.Owner.self) {
        owner.newLove = owner.love.flatMap { animals[$0.name] }
      }
    }
  }

  // MARK: Rules and bounds

  /// Deleting an owner deletes its pets.
  enum Cascading: Third {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  /// At most two pets.
  enum AtMostTwo: First {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(maximumModelCount: 2, inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String, owner: Owner?) {
        self.name = name
        self.owner = owner
      }
    }

    /// Two pets of one owner.
    static func fill(_ context: ModelContext) throws {
      let owner = Owner(name: "a")
      context.insert(owner)
      for name in ["p", "q"] { context.insert(Pet(name: name, owner: owner)) }
    }
  }

  enum AtMostThree: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(maximumModelCount: 3, inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }

  enum AtMostOne: Second {
    static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
    @Model final class Owner {
      var name: String
      @Relationship(maximumModelCount: 1, inverse: \Pet.owner) var pets: [Pet] = []
      init(name: String) { self.name = name }
    }
    @Model final class Pet {
      var name: String
      var owner: Owner?
      init(name: String) { self.name = name }
    }
  }
}

extension Experiment {
  static var relationships: [Experiment] {
    coming + changing + counting
  }

  /// Each pet with its owner's name.
  private static func paired(_ context: ModelContext) throws -> [String] {
    try context.rows(Relations.Paired.Pet.self) { "\($0.name) \(text($0.owner?.name))" }
  }

  private static var coming: [Experiment] {
    [
      upgrade(
        "relationship-added", "old rows lead nowhere by relationships that come",
        rows: ["relationship-added"], facts: ["migration#add-relationship", "store-format#to-one"],
        from: Relations.Alone.self, to: Relations.Paired.self, fill: Relations.Alone.fill,
        .sees("p nil", "o 0", "ZNAME VARCHAR", "ZOWNER INTEGER", "ZPET_ZOWNER_INDEX")
      ) { context, folder in
        let file = try StoreFile(folder.store)
        return try paired(context)
          + context.rows(Relations.Paired.Owner.self) { "\($0.name) \($0.pets.count)" }
          + file.columns("ZPET") + file.indexes("ZPET")
      },
      failure(
        "mandatory-relationship", "a mandatory relationship that comes makes the migration fail",
        rows: ["mandatory-relationship"], facts: ["migration#add-mandatory-relationship"],
        from: Relations.Alone.self, to: Relations.Owned.self, fill: Relations.Alone.fill,
        code: 134110),
      upgrade(
        "mandatory-relationship-without-rows", "it can come where there is no row",
        rows: ["mandatory-relationship"], facts: ["migration#add-mandatory-relationship"],
        from: Relations.Alone.self, to: Relations.Owned.self, fill: Plain.nothing,
        .sees("rows: 0"), see: count(Relations.Owned.Pet.self)),
      bridging(
        "relationship-filled", "a bridge finds what each row leads to before it is mandatory",
        rows: ["relationship-filled"], facts: ["migration#bridge-copies-on-disk"],
        to: Relations.Assigned.self, fill: Relations.Alone.fill, sees: ["p o"]
      ) { context, _ in
        try context.rows(Relations.Assigned.Pet.self) { "\($0.name) \($0.owner.name)" }
      },
      upgrade(
        "relationship-removed", "a relationship that goes is dropped with its column",
        rows: ["relationship-removed"], facts: ["migration#remove-relationship"],
        from: Relations.Paired.self, to: Relations.Parted.self, fill: Relations.Paired.fill,
        .sees("p", "q", "r", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Relations.Parted.Pet.self) { $0.name }
          + StoreFile(folder.store).columns("ZPET")
      },
      upgrade(
        "relationship-renamed", "an originalName keeps the links", rows: ["relationship-renamed"],
        facts: ["migration#rename-with-original-name"],
        from: Relations.Paired.self, to: Relations.Renamed.self, fill: Relations.Paired.fill,
        .sees("p a", "q b", "r nil", "a p", "b q")
      ) { context, _ in
        try context.rows(Relations.Renamed.Pet.self) { "\($0.name) \(text($0.keeper?.name))" }
          + context.rows(Relations.Renamed.Owner.self) { owner in
            "\(owner.name) \(owner.animals.map(\.name).joined())"
          }
      },
    ]
  }

  private static var changing: [Experiment] {
    [
      upgrade(
        "relationship-made-optional", "a mandatory relationship that becomes optional is kept",
        rows: ["relationship-made-optional"], facts: ["migration#required-to-optional"],
        from: Relations.OwnedFirst.self, to: Relations.Paired.self,
        fill: Relations.OwnedFirst.fill, .sees("p a")
      ) { context, _ in try paired(context) },
      failure(
        "relationship-made-required",
        "a relationship that becomes mandatory fails where a row leads nowhere",
        rows: ["relationship-made-required"], facts: ["migration#relationship-made-mandatory"],
        from: Relations.Paired.self, to: Relations.Owned.self, fill: Relations.Paired.fill,
        code: 134110),
      upgrade(
        "relationship-made-required-everywhere", "it is kept where all rows lead somewhere",
        rows: ["relationship-made-required"], facts: ["migration#relationship-made-mandatory"],
        from: Relations.Paired.self, to: Relations.Owned.self, fill: Relations.Paired.fillAll,
        .sees("p a")
      ) { context, _ in
        try context.rows(Relations.Owned.Pet.self) { "\($0.name) \($0.owner.name)" }
      },
      distinct(
        "to-many-optionality", "a to-many relationship that becomes optional is another version",
        rows: ["to-many-optionality"],
        facts: ["migration#to-many-optionality", "identity#counts-are-hashed"],
        partly: ["identity#not-neutral"],
        from: Relations.Paired.self, to: Relations.OptionalList.self, fill: Relations.Paired.fill,
        sees: ["a 1", "b 1"]
      ) { context, _ in
        try context.rows(Relations.OptionalList.Owner.self) { "\($0.name) \($0.pets?.count ?? -1)" }
      },
      upgrade(
        "to-one-to-many", "a to-one that becomes a to-many keeps its links if its inverse stays",
        rows: ["to-one-to-many"], facts: ["migration#to-one-to-to-many"],
        from: Relations.Paired.self, to: Relations.Shared.self, fill: Relations.Paired.fill,
        .sees("p a", "q b", "r ")
      ) { context, _ in
        try context.rows(Relations.Shared.Pet.self) { pet in
          "\(pet.name) \(pet.owner.map(\.name).joined())"
        }
      },
      upgrade(
        "to-one-to-many-new-inverse",
        "a to-one that becomes a to-many loses its links if its inverse comes in the same step",
        rows: ["to-one-to-many-new-inverse"],
        facts: ["migration#to-one-to-to-many-new-inverse"],
        from: Relations.OneSided.self, to: Relations.NewInverse.self,
        fill: Relations.OneSided.fill, .sees("a 0", "p nil")
      ) { context, _ in
        try context.rows(Relations.NewInverse.Owner.self) { "\($0.name) \($0.pet.count)" }
          + context.rows(Relations.NewInverse.Pet.self) { "\($0.name) \(text($0.owner?.name))" }
      },
      failure(
        "to-one-to-many-no-inverse",
        "a to-one that becomes a to-many without an inverse makes the migration fail",
        rows: ["to-one-to-many-no-inverse"], facts: ["migration#to-one-to-to-many-no-inverse"],
        from: Relations.OneSided.self, to: Relations.NoInverse.self,
        fill: Relations.OneSided.fill, code: 134110, saying: "Unsupported relationship migration"),
      failure(
        "to-many-to-one", "a to-many cannot become a to-one", rows: ["to-many-to-one"],
        facts: ["migration#to-many-to-to-one"],
        from: Relations.Many.self, to: Relations.OneOfMany.self, fill: Relations.Many.fill,
        code: 134140),
      upgrade(
        "relationship-made-exclusive",
        "a to-many that loses its inverse keeps one of several rows that led to a row",
        rows: ["relationship-made-exclusive"],
        facts: ["migration#one-owner-per-row", "store-format#to-many-without-inverse"],
        from: Relations.Many.self, to: Relations.Exclusive.self, fill: Relations.Many.fill,
        .sees("pets of both owners: 1", "Z1PETS INTEGER", "ZNAME VARCHAR")
      ) { context, folder in
        let pets = try context.all(Relations.Exclusive.Owner.self).map(\.pets.count)
        return ["pets of both owners: \(pets.reduce(0, +))"]
          + (try StoreFile(folder.store).columns("ZPET"))
      },
      upgrade(
        "destination-changed",
        "another destination keeps the numbers: links lead to rows of the other model",
        rows: ["destination-changed"], facts: ["migration#destination-change"],
        from: Relations.ToPet.self, to: Relations.ToPlant.self, fill: Relations.ToPet.fill,
        .sees("plant")
      ) { context, _ in
        try context.rows(Relations.ToPlant.Owner.self) { text($0.love?.name) }
      },
      bridging(
        "destination-followed", "a bridge sets links again that lead to a model of another name",
        rows: ["destination-followed"], facts: ["migration#bridge-copies-on-disk"],
        to: Relations.Followed.self, fill: Relations.ToPetAlone.fill, sees: ["pet"]
      ) { context, _ in
        try context.rows(Relations.Followed.Owner.self) { text($0.newLove?.name) }
      },
      distinct(
        "inverse-changed", "an inverse by another name is another version, and links are kept",
        rows: ["inverse-changed"],
        facts: ["migration#inverse-name-change", "identity#inverse-in-hash"],
        from: Relations.Paired.self, to: Relations.OtherInverse.self, fill: Relations.Paired.fill,
        sees: ["p a", "q b", "r nil"]
      ) { context, _ in
        try context.rows(Relations.OtherInverse.Pet.self) { "\($0.name) \(text($0.owner?.name))" }
      },
      upgrade(
        "many-to-many-kept", "a migration keeps the links of a many-to-many",
        partly: ["migration#one-transaction", "store-format#many-to-many"],
        from: Relations.Many.self, to: Relations.ManyMore.self, fill: Relations.Many.fill,
        .sees("a p", "b p", "p 2")
      ) { context, _ in
        try context.rows(Relations.ManyMore.Owner.self) { owner in
          "\(owner.name) \(owner.pets.map(\.name).joined())"
        } + context.rows(Relations.ManyMore.Pet.self) { "\($0.name) \($0.owners.count)" }
      },
      upgrade(
        "entity-numbers-move", "a model that comes moves the numbers of others, and links are kept",
        facts: ["store-format#entity-numbers"],
        from: Relations.Many.self, to: Relations.ManyAndEarlier.self, fill: Relations.Many.fill,
        .sees("a p", "b p", "p 2", "Z_2PETS Z_2OWNERS INTEGER Z_3PETS INTEGER", "owners are 2")
      ) { context, folder in
        try context.rows(Relations.ManyAndEarlier.Owner.self) { owner in
          "\(owner.name) \(owner.pets.map(\.name).joined())"
        } + context.rows(Relations.ManyAndEarlier.Pet.self) { "\($0.name) \($0.owners.count)" }
          + joins(folder)
          + StoreFile(folder.store).values("SELECT DISTINCT Z_ENT FROM ZOWNER").map {
            "owners are \($0)"
          }
      },
    ]
  }

  /// The tables of many-to-many relationships, each with its columns.
  static func joins(_ folder: Folder) throws -> [String] {
    let file = try StoreFile(folder.store)
    return try file.tables().filter { $0.hasPrefix("Z_") }.map { table in
      "\(table) \(try file.columns(table).joined(separator: " "))"
    }
  }

  private static var counting: [Experiment] {
    [
      neutral(
        "delete-rule-changed", "another delete rule is not seen, and applies at once",
        rows: ["delete-rule-changed"], facts: ["identity#delete-rule-not-hashed"],
        from: Relations.Paired.self, to: Relations.Cascading.self, fill: Relations.Paired.fill,
        sees: ["q", "r"]
      ) { context, _ in
        for owner in try context.all(Relations.Cascading.Owner.self) where owner.name == "a" {
          context.delete(owner)
        }
        try context.save()
        return try context.rows(Relations.Cascading.Pet.self) { $0.name }
      },
      distinct(
        "relationship-widened", "other bounds are another version, and links are kept",
        rows: ["relationship-widened"],
        facts: ["identity#counts-are-hashed", "identity#to-many-counts"],
        from: Relations.AtMostTwo.self, to: Relations.AtMostThree.self,
        fill: Relations.AtMostTwo.fill, sees: ["a 2"]
      ) { context, _ in
        try context.rows(Relations.AtMostThree.Owner.self) { "\($0.name) \($0.pets.count)" }
      },
      upgrade(
        "relationship-narrowed", "a migration keeps links that are outside the new bounds",
        rows: ["relationship-narrowed"], facts: ["migration#count-change"],
        from: Relations.AtMostTwo.self, to: Relations.AtMostOne.self,
        fill: Relations.AtMostTwo.fill, .sees("a 2")
      ) { context, _ in
        try context.rows(Relations.AtMostOne.Owner.self) { "\($0.name) \($0.pets.count)" }
      },
      Experiment(
        id: "relationship-narrowed-save",
        claim: "a later save of a row that is outside the new bounds fails",
        rows: ["relationship-narrowed"], facts: ["migration#count-change"],
        steps: [
          writing(Relations.AtMostTwo.self, Relations.AtMostTwo.fill),
          step("open with the next version, and save such a row", .sees("the save fails")) {
            folder in
            let context = try folder.open(
              Relations.AtMostOne.self,
              plan: Upgrade<Relations.AtMostTwo, Relations.AtMostOne>.self)
            for owner in try context.all(Relations.AtMostOne.Owner.self) { owner.name = "changed" }
            do {
              try context.save()
            } catch {
              return ["the save fails"]
            }
            return ["it was saved"]
          },
        ], limits: [.portable("the runtime does not hold a save against bounds")]),
    ]
  }
}
