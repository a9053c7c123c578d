/// A day in the proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
struct CivilDate: Equatable {
    var year: Int64
    var month: Int64
    var day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970 days: Int64) {
        // Years start in March, so that the leap day is the last day of a year. An era is 400 years.
        let (era, dayOfEra) = (days + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// Like `quotientAndRemainder`, but the remainder is never negative.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
