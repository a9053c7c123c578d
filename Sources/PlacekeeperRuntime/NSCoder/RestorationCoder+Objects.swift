public import Foundation
import PlacekeeperArchive

extension RestorationCoder {
    func encode(object: Any?, key: String) {
        // Safe, because the object stays on the main actor.
        nonisolated(unsafe) let object = object
        // Apps use a coder on the main actor only (see the class). An archive can't change the thread.
        MainActor.assumeIsolated { [encoder, framework] in
            guard let encoder else { return }
            let value = FoundationEncoder(coder: encoder, key: key, framework: framework).value(of: object)
            encoder.encode(value, forKey: key)
        }
    }

    func decode(objectFor key: String) -> Any? {
        nonisolated(unsafe) var object: Any?
        // On the main actor, as in `encode(object:key:)`.
        MainActor.assumeIsolated { [decoder, framework] in
            guard let decoder else { return }
            if key == ReservedKey.storyboard {
                let storyboard = decoder.originalStoryboard
                return object = storyboard.flatMap { framework?.storyboard(for: $0) } ?? storyboard
            }
            let values = FoundationDecoder(coder: decoder, framework: framework)
            object = decoder.value(forKey: key).flatMap { values.object(of: $0) }
        }
        return object
    }

    /// Returns an object if its class is one of `classes` or a subclass of one (row 77). Objects inside it must be too,
    /// or have property list types; otherwise this returns nil, and the restoration log reports the refused class. Also
    /// `nil` if no object was saved. If `classes` is nil, all classes are allowed.
    func decode(objectOf classes: [AnyClass]?, key: String) -> Any? {
        guard let classes else { return decode(objectFor: key) }
        var allowed = AllowedClasses(classes)
        guard let object = decode(objectFor: key, allowing: allowed) else { return nil }
        guard let refused = allowed.firstRefused(in: object) else { return object }
        let className = ClassName.of(type(of: refused))
        // On the main actor, as in `encode(object:key:)`.
        MainActor.assumeIsolated { [decoder] in
            guard let decoder else { return }
            decoder.context.report(.refusedClass(path: decoder.path, key: key, className: className))
        }
        return nil
    }
}

extension RestorationCoder {
    /// Decodes an object of allowed classes, which the environment need not list then: the app's code has named them.
    private func decode(objectFor key: String, allowing classes: AllowedClasses) -> Any? {
        nonisolated(unsafe) let coder = self
        nonisolated(unsafe) var object: Any?
        // On the main actor, as in `encode(object:key:)`.
        MainActor.assumeIsolated {
            guard let context = coder.decoder?.context else { return }
            let outer = context.allowedClass
            context.allowedClass = { [framework = coder.framework] in
                classes.copyable($0, of: framework) ?? outer($0)
            }
            defer { context.allowedClass = outer }
            object = coder.decode(objectFor: key)
        }
        return object
    }
}

/// Converts Foundation objects to state values.
@MainActor
private struct FoundationEncoder {
    let coder: StateEncoder
    let key: String
    let framework: (any RestorationFramework.Type)?

    /// The maximum nesting depth, below the archive's limit. Deeper values are saved as nil.
    private static let greatestDepth = 120

    func value(of object: Any?, depth: Int = 0) -> StateValue {
        guard let object, depth < Self.greatestDepth else { return .null }
        if let standIn = framework?.standIn(for: object) { return coder.reference(to: standIn) }
        switch object {
        case is NSNull: return .null
        case let object as any StateRestoring: return coder.reference(to: object)
        case let object as any StateCopying: return coder.copy(of: object)
        case let number as NSNumber: return value(of: number)
        case let text as String: return .string(text)
        case let date as Date: return date.stateValue
        case let data as Data: return data.stateValue
        case let elements as [Any]: return .array(elements.map { value(of: $0, depth: depth + 1) })
        case let entries as [String: Any]: return .dictionary(entries.mapValues { value(of: $0, depth: depth + 1) })
        case let elements as Set<AnyHashable>:
            let values = elements.map { value(of: $0.base, depth: depth + 1) }
            // Sorted, so equal sets are saved in the same form.
            return copy(of: elements as NSSet, .array(values.sorted { "\($0)" < "\($1)" }))
        case let url as URL: return copy(of: url as NSURL, url.stateValue)
        case let identifier as UUID: return copy(of: identifier as NSUUID, identifier.stateValue)
        case let indexPath as IndexPath: return copy(of: indexPath as NSIndexPath, indexPath.stateValue)
        case let indices as IndexSet: return copy(of: indices as NSIndexSet, indices.stateValue)
        case let object as any NSObject & NSSecureCoding:
            // A class cluster, such as that of colors, has private classes.
            let name = ClassName.of(object.classForCoder)
            return .instance(
                coder.context.index(ofCopy: object, className: name) { [framework] in
                    object.encode(with: RestorationCoder($0, of: framework))
                })
        default:
            coder.context.lint(coder.path, key, .unsupported(ClassName.of(type(of: object))))
            return .null
        }
    }

    private func copy(of object: NSObject, _ value: StateValue) -> StateValue {
        let name = FoundationCopy.of(object)
        return .instance(
            coder.context.index(ofCopy: object, className: name.rawValue) {
                $0.encode(value, forKey: FoundationCopy.key)
            })
    }

    private func value(of number: NSNumber) -> StateValue {
        #if canImport(Darwin)
            if CFGetTypeID(number) == CFBooleanGetTypeID() { return .boolean(number.boolValue) }
            let isBoolean = false
        #else
            let isBoolean = number.objCType.pointee == CChar(UInt8(ascii: "c"))
        #endif
        if isBoolean { return .boolean(number.boolValue) }
        return switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): .real(number.doubleValue)
        case UInt8(ascii: "Q"): number.uint64Value.stateValue
        default: .integer(number.int64Value)
        }
    }
}

/// Foundation classes that have no `StateValue` case. Their objects are saved by copy, under the class's name.
enum FoundationCopy: String, CaseIterable {
    case set = "NSSet"
    case url = "NSURL"
    case identifier = "NSUUID"
    case indexPath = "NSIndexPath"
    case indexSet = "NSIndexSet"

    static let key = "value"

    static func of(_ object: NSObject) -> FoundationCopy {
        switch object {
        case is NSSet: .set
        case is NSURL: .url
        case is NSUUID: .identifier
        case is NSIndexPath: .indexPath
        default: .indexSet
        }
    }

    /// These classes as a table. Every environment starts with it, so they need no `addCopies(ofSecureCoding:)`.
    static var classes: ClassTable<CopyableClass> {
        allCases.reduce(into: ClassTable()) { table, kind in
            table.add(CopyableClass(make: kind.make), for: kind.type, named: kind.rawValue)
        }
    }

    private var type: NSObject.Type {
        switch self {
        case .set: NSSet.self
        case .url: NSURL.self
        case .identifier: NSUUID.self
        case .indexPath: NSIndexPath.self
        case .indexSet: NSIndexSet.self
        }
    }

    @MainActor private func make(_ coder: StateDecoder) -> AnyObject? {
        switch self {
        case .url: return coder.decode(URL.self, forKey: Self.key) as NSURL?
        case .identifier: return coder.decode(UUID.self, forKey: Self.key) as NSUUID?
        case .indexPath: return coder.decode(IndexPath.self, forKey: Self.key) as NSIndexPath?
        case .indexSet: return coder.decode(IndexSet.self, forKey: Self.key) as NSIndexSet?
        case .set:
            guard case .array(let values) = coder.value(forKey: Self.key) else { return nil }
            return NSSet(array: values.compactMap(FoundationDecoder(coder: coder, framework: nil).object))
        }
    }
}

/// Converts state values to Foundation objects.
@MainActor
private struct FoundationDecoder {
    let coder: StateDecoder
    let framework: (any RestorationFramework.Type)?

    func object(of value: StateValue) -> Any? {
        switch value {
        case .null: nil
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .string(let text): text
        case .data(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .array(let values): values.map { object(of: $0) ?? NSNull() }
        case .dictionary(let values): values.mapValues { object(of: $0) ?? NSNull() }
        case .object, .reference, .instance:
            coder.anyObject(value).flatMap { object in
                if let standIn = object as? any RestorableStandIn { standIn.represented } else { object }
            }
        }
    }
}

extension RestorationEnvironment {
    /// Lists an `NSSecureCoding` class, so that the runtime can restore its copies. A copy of an unlisted class is
    /// restored only by code that names the class, such as `decodeObject(of: Filter.self, forKey: "filter")`. The classes
    /// in `FoundationCopy` are always listed.
    ///
    /// If an object refers to itself, directly or through other objects, that reference is decoded as nil, because the
    /// object's `init(coder:)` has not returned yet.
    public func addCopies<Copy: NSObject & NSSecureCoding>(ofSecureCoding type: Copy.Type) {
        let copyable = CopyableClass(make: { decoder in
            let coder = RestorationCoder(decoder)
            let object = Copy(coder: coder)
            if let error = coder.error { throw error }
            return object
        })
        copyableClasses.add(copyable, for: type, named: ClassName.of(type))
    }
}
