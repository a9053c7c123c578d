extension ArchiveError.Code {
    /// The file exceeds the size limit for archives.
    public static let tooLarge = Self(rawValue: "too-large")
    /// The file is too short for a binary property list.
    public static let tooShort = Self(rawValue: "too-short")
    /// The file is an XML property list. `plutil -convert binary1 FILE` converts it.
    public static let xml = Self(rawValue: "xml")
    /// The file is not a binary property list.
    public static let notBinary = Self(rawValue: "not-binary-plist")
    /// The trailer's offset width is not 1 to 8 bytes.
    public static let offsetWidth = Self(rawValue: "offset-width")
    /// The trailer's reference width is not 1 to 8 bytes.
    public static let referenceWidth = Self(rawValue: "reference-width")
    /// The property list contains no objects.
    public static let noObjects = Self(rawValue: "no-objects")
    /// The offset table does not lie between the objects and the trailer.
    public static let offsetTable = Self(rawValue: "offset-table")
    /// The index of the top object is out of range.
    public static let topObject = Self(rawValue: "top-object")
    /// An object's offset lies outside the object area.
    public static let objectOffset = Self(rawValue: "object-offset")
    /// An object extends past the end of the object area.
    public static let objectEnd = Self(rawValue: "object-end")
    /// Objects overlap each other.
    public static let overlappingObjects = Self(rawValue: "overlapping-objects")
    /// An object's type does not exist in property lists.
    public static let unknownMarker = Self(rawValue: "unknown-marker")
    /// A count is not an integer.
    public static let countNotInteger = Self(rawValue: "count-not-integer")
    /// A count is negative.
    public static let countNegative = Self(rawValue: "count-negative")
    /// A count is larger than the rest of the object area.
    public static let countTooLarge = Self(rawValue: "count-too-large")
    /// An integer is wider than 16 bytes.
    public static let integerWidth = Self(rawValue: "integer-width")
    /// An integer does not fit in 64 bits.
    public static let integerRange = Self(rawValue: "integer-range")
    /// A real number is not 4 or 8 bytes wide.
    public static let realWidth = Self(rawValue: "real-width")
    /// A date is not 8 bytes wide.
    public static let dateWidth = Self(rawValue: "date-width")
    /// A date is outside the years 1 to 9999.
    public static let dateRange = Self(rawValue: "date-range")
    /// A UID is wider than 8 bytes.
    public static let uidWidth = Self(rawValue: "uid-width")
    /// An ASCII string contains a byte that is not ASCII.
    public static let nonASCII = Self(rawValue: "non-ascii")
    /// A UTF-16 string contains an unpaired surrogate.
    public static let loneSurrogate = Self(rawValue: "lone-surrogate")
    /// A string has more than 256 combining marks in a row.
    public static let combiningRun = Self(rawValue: "combining-run")
    /// A container refers to an object that does not exist.
    public static let reference = Self(rawValue: "reference-range")
    /// A dictionary key is not a string.
    public static let keyNotString = Self(rawValue: "key-not-string")
    /// A dictionary contains the same key twice.
    public static let duplicateKey = Self(rawValue: "duplicate-key")
    /// A container contains itself.
    public static let containerCycle = Self(rawValue: "container-cycle")
    /// Containers are nested too deeply.
    public static let tooDeep = Self(rawValue: "too-deep")
    /// The property list is not a keyed archive.
    public static let notKeyedArchive = Self(rawValue: "not-keyed-archive")
    /// `$archiver` is not `NSKeyedArchiver`.
    public static let archiver = Self(rawValue: "archiver")
    /// `$version` is not 100000.
    public static let version = Self(rawValue: "version")
    /// `$top` is not a dictionary.
    public static let topKeys = Self(rawValue: "top-keys")
    /// `$objects` is not an array.
    public static let objects = Self(rawValue: "objects")
    /// A UID refers to an object that does not exist.
    public static let uidRange = Self(rawValue: "uid-range")
    /// An object's `$class` is not a valid class record.
    public static let classRecord = Self(rawValue: "class-record")
    /// The number of keys in a dictionary differs from the number of values.
    public static let keyCount = Self(rawValue: "key-count")
    /// The keyed archive is not in Placekeeper's format.
    public static let foreign = Self(rawValue: "foreign-archive")
    /// The archive's format version is not supported.
    public static let formatVersion = Self(rawValue: "format-version")
    /// The value of a reserved key has the wrong type or is out of range.
    public static let reservedKey = Self(rawValue: "reserved-key")
    /// The table of restorable objects is malformed.
    public static let objectTable = Self(rawValue: "object-table")
    /// The place or its web address is malformed.
    public static let place = Self(rawValue: "place")
    /// The place is larger than 131,072 bytes.
    public static let placeSize = Self(rawValue: "place-size")
    /// The table of model references is malformed.
    public static let referenceTable = Self(rawValue: "reference-table")
    /// A saved state or the table of instances is malformed.
    public static let state = Self(rawValue: "state")
    /// Reading shared objects again and again, or hashing dictionary keys, would exceed the work budget.
    public static let expansion = Self(rawValue: "expansion")
}

extension ArchiveError {
    static let explanations: [Code: String] = [
        .tooLarge: "The file is larger than the limit for an archive",
        .tooShort: "The file is too short for a binary property list",
        .xml: "The file is an XML property list; `plutil -convert binary1 FILE` makes it a binary one",
        .notBinary: "The file is not a binary property list",
        .offsetWidth: "The trailer's offset width is not 1 to 8 bytes",
        .referenceWidth: "The trailer's reference width is not 1 to 8 bytes",
        .noObjects: "The property list has no objects",
        .offsetTable: "The offset table does not lie between the objects and the trailer",
        .topObject: "The index of the top object is out of range",
        .objectOffset: "The offset of an object lies outside the object area",
        .objectEnd: "An object extends past the end of the object area",
        .overlappingObjects: "Objects overlap each other",
        .unknownMarker: "An object has a type that property lists do not have",
        .countNotInteger: "A count is not an integer",
        .countNegative: "A count is negative",
        .countTooLarge: "A count is larger than the rest of the object area",
        .integerWidth: "An integer is wider than 16 bytes",
        .integerRange: "An integer does not fit in 64 bits",
        .realWidth: "A real number is not 4 or 8 bytes wide",
        .dateWidth: "A date is not 8 bytes wide",
        .dateRange: "A date is outside the years 1 to 9999",
        .uidWidth: "A UID is wider than 8 bytes",
        .nonASCII: "An ASCII string contains a byte that is not ASCII",
        .loneSurrogate: "A UTF-16 string contains an unpaired surrogate",
        .combiningRun: "A string has more than 256 combining marks in a row",
        .reference: "A container refers to an object that does not exist",
        .keyNotString: "A dictionary key is not a string",
        .duplicateKey: "A dictionary has the same key twice",
        .containerCycle: "A container contains itself",
        .tooDeep: "Containers are nested too deeply",
        .notKeyedArchive: "The property list is not a keyed archive",
        .archiver: "The keyed archive's $archiver is not NSKeyedArchiver",
        .version: "The keyed archive's $version is not 100000",
        .topKeys: "The keyed archive's $top is not a dictionary",
        .objects: "The keyed archive's $objects is not an array",
        .uidRange: "A UID refers to an object that does not exist",
        .classRecord: "An object's $class is not a valid class record",
        .keyCount: "A dictionary does not have the same number of keys and values",
        .foreign: "The keyed archive is not in Placekeeper's format",
        .formatVersion: "The archive's format version is not supported",
        .reservedKey: "A reserved key has a value of the wrong type or out of range",
        .objectTable: "The table of restorable objects is malformed",
        .place: "The place or its web address is malformed",
        .placeSize: "The place is larger than 131,072 bytes",
        .referenceTable: "The table of model references is malformed",
        .state: "A saved state is malformed",
        .expansion: "Shared objects or dictionary keys expand beyond the limit",
    ]
}
