func name(of status: Expense.Status) -> String { status.title }

func name(of place: Expense.Place) -> String { place.name }
