public typealias ActiveUserProfileModel = UserProfileModelV9
public typealias UserProfileModelV9 = SchemaV9.UserProfileModel
public typealias ActiveHabitModel = SchemaV9.HabitModel
