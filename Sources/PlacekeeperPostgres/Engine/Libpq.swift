import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// The functions of libpq, PostgreSQL's client library. It is loaded when the first store is opened, so processes
/// without PostgreSQL never load it, and builds don't need its headers.
struct Libpq: Sendable {
    typealias Handle = OpaquePointer
    typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    typealias Numbers = UnsafePointer<Int32>

    let connectStart: @Sendable @convention(c) (Texts, Texts, Int32) -> Handle?
    let connectPoll: @Sendable @convention(c) (Handle) -> Int32
    let connectionInfo: @Sendable @convention(c) (Handle) -> UnsafeMutableRawPointer?
    let freeConnectionInfo: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void
    let status: @Sendable @convention(c) (Handle) -> Int32
    let errorMessage: @Sendable @convention(c) (Handle) -> UnsafePointer<CChar>?
    let finish: @Sendable @convention(c) (Handle) -> Void
    let socket: @Sendable @convention(c) (Handle) -> Int32
    let serverVersion: @Sendable @convention(c) (Handle) -> Int32
    let setNonBlocking: @Sendable @convention(c) (Handle, Int32) -> Int32
    let enterPipelineMode: @Sendable @convention(c) (Handle) -> Int32
    let setNoticeReceiver:
        @Sendable @convention(c) (
            Handle, (@convention(c) (UnsafeMutableRawPointer?, Handle?) -> Void)?, UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?
    let sendPrepare:
        @Sendable @convention(c) (Handle, UnsafePointer<CChar>, UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?) ->
            Int32
    let sendPrepared:
        @Sendable @convention(c) (Handle, UnsafePointer<CChar>, Int32, Texts?, Numbers?, Numbers?, Int32) -> Int32
    let sendSync: @Sendable @convention(c) (Handle) -> Int32
    let flush: @Sendable @convention(c) (Handle) -> Int32
    let consumeInput: @Sendable @convention(c) (Handle) -> Int32
    let isBusy: @Sendable @convention(c) (Handle) -> Int32
    let getResult: @Sendable @convention(c) (Handle) -> Handle?
    let resultStatus: @Sendable @convention(c) (Handle) -> Int32
    let resultErrorField: @Sendable @convention(c) (Handle, Int32) -> UnsafePointer<CChar>?
    let clear: @Sendable @convention(c) (Handle) -> Void
    let rowCount: @Sendable @convention(c) (Handle) -> Int32
    let columnCount: @Sendable @convention(c) (Handle) -> Int32
    let isNull: @Sendable @convention(c) (Handle, Int32, Int32) -> Int32
    let length: @Sendable @convention(c) (Handle, Int32, Int32) -> Int32
    let value: @Sendable @convention(c) (Handle, Int32, Int32) -> UnsafePointer<CChar>?
    let transactionStatus: @Sendable @convention(c) (Handle) -> Int32
    let libraryVersion: @Sendable @convention(c) () -> Int32
    let getCancel: @Sendable @convention(c) (Handle) -> Handle?
    let cancel: @Sendable @convention(c) (Handle, UnsafeMutablePointer<CChar>, Int32) -> Int32
    let freeCancel: @Sendable @convention(c) (Handle) -> Void
    let notifies: @Sendable @convention(c) (Handle) -> Handle?
    let parseURL:
        @Sendable @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Handle?
    let freeOptions: @Sendable @convention(c) (Handle) -> Void
    let free: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void

    private static let loaded = Result { () throws(StoreError) in try Libpq() }

    /// The functions of the library. Throws `unusable` if the library isn't installed or is older than version 14.
    static var shared: Libpq { get throws(StoreError) { try loaded.get() } }

    private init() throws(StoreError) {
        guard let library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libpq.5.dylib", RTLD_NOW) else {
            throw StoreError(
                .unusable,
                "PostgreSQL's client library libpq.so.5 is not installed (on Debian: apt-get install libpq5).")
        }
        func function<Function>(_ name: String) throws(StoreError) -> Function {
            guard let symbol = dlsym(library, name) else {
                throw StoreError(.unusable, "PostgreSQL's client library is older than version 14.", cause: name)
            }
            // The properties match the types in libpq's header, and the names are constants.
            return unsafeBitCast(symbol, to: Function.self)
        }
        connectStart = try function("PQconnectStartParams")
        connectPoll = try function("PQconnectPoll")
        connectionInfo = try function("PQconninfo")
        freeConnectionInfo = try function("PQconninfoFree")
        status = try function("PQstatus")
        errorMessage = try function("PQerrorMessage")
        finish = try function("PQfinish")
        socket = try function("PQsocket")
        serverVersion = try function("PQserverVersion")
        setNonBlocking = try function("PQsetnonblocking")
        enterPipelineMode = try function("PQenterPipelineMode")
        setNoticeReceiver = try function("PQsetNoticeReceiver")
        sendPrepare = try function("PQsendPrepare")
        sendPrepared = try function("PQsendQueryPrepared")
        sendSync = try function("PQpipelineSync")
        flush = try function("PQflush")
        consumeInput = try function("PQconsumeInput")
        isBusy = try function("PQisBusy")
        getResult = try function("PQgetResult")
        resultStatus = try function("PQresultStatus")
        resultErrorField = try function("PQresultErrorField")
        clear = try function("PQclear")
        rowCount = try function("PQntuples")
        columnCount = try function("PQnfields")
        isNull = try function("PQgetisnull")
        length = try function("PQgetlength")
        value = try function("PQgetvalue")
        transactionStatus = try function("PQtransactionStatus")
        libraryVersion = try function("PQlibVersion")
        getCancel = try function("PQgetCancel")
        cancel = try function("PQcancel")
        freeCancel = try function("PQfreeCancel")
        notifies = try function("PQnotifies")
        parseURL = try function("PQconninfoParse")
        freeOptions = try function("PQconninfoFree")
        free = try function("PQfreemem")
    }
}

/// The constants of libpq-fe.h that this target uses.
extension Libpq {
    static let connectionIsGood: Int32 = 0
    static let connectionIsBad: Int32 = 1
    static let transactionIsIdle: Int32 = 0
    /// The error field that contains the SQLSTATE.
    static let sqlState = Int32(UInt8(ascii: "C"))

    /// The progress of a connection that is being opened (`PostgresPollingStatusType`).
    enum PollingStatus: Int32 {
        case reading = 1
        case writing = 2
        case done = 3
    }

    /// The status of a result (`ExecStatusType`).
    enum ResultStatus: Int32 {
        case commandDone = 1
        case rows = 2
        case failed = 7
        case pipelineSync = 10
        case pipelineAborted = 11
    }
}

extension Libpq {
    /// A setting of a connection (`PQconninfoOption`).
    struct Setting {
        /// The value from the URL, a service file or the environment.
        var value: String?
        /// The value that libpq was built with.
        var usual: String?
    }

    /// The settings of a connection, by name.
    func settings(of handle: Handle) -> [String: Setting] {
        guard let start = connectionInfo(handle) else { return [:] }
        defer { freeConnectionInfo(start) }
        // The struct consists of six pointers and a number: the name, the variable of the environment, the value that
        // libpq was built with, the value, and two for dialogs. The last struct has no name.
        let word = MemoryLayout<UnsafeRawPointer>.size
        func text(_ field: Int, of option: UnsafeMutableRawPointer) -> String? {
            option.load(fromByteOffset: field * word, as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
        }
        var found: [String: Setting] = [:]
        var option = start
        while let name = text(0, of: option) {
            found[name] = Setting(value: text(3, of: option), usual: text(2, of: option))
            option += 7 * word
        }
        return found
    }
}
