import PlacekeeperConcurrency
import PlacekeeperClient

/// A virtual device's network, as used by one of its processes. When the process ends, its requests are canceled.
final class ProcessTransport: Transport {
    private let network: TestTransport
    private let disk: VirtualDisk
    private let process: Int
    private let requests = LockBox<[Int: Task<Result<TransportResponse, TransportError>, Never>]>([:])
    private let nextRequest = LockBox(0)

    init(_ network: TestTransport, _ disk: VirtualDisk, _ process: Int) {
        self.network = network
        self.disk = disk
        self.process = process
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard disk.runs(process) else { throw .canceled }
        let task = Task { [network] () -> Result<TransportResponse, TransportError> in
            do throws(TransportError) { return .success(try await network.send(request)) } catch {
                return .failure(error)
            }
        }
        let number = nextRequest.withLock { number in
            number += 1
            return number
        }
        requests.withLock { $0[number] = task }
        // The process may have ended before the request could be canceled.
        if !disk.runs(process) { task.cancel() }
        let result = await withTaskCancellationHandler(operation: { await task.value }, onCancel: task.cancel)
        requests.withLock { $0[number] = nil }
        // A process that has ended receives no response.
        guard disk.runs(process) else { throw .canceled }
        return try result.get()
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        guard disk.runs(process) else { throw .canceled }
        try await network.stream(request, idleLimit: idleLimit) { [disk, process] bytes in
            disk.runs(process) && receive(bytes)
        }
    }

    /// Cancels the open requests and streams.
    func cancel() {
        for task in requests.withLock({ Array($0.values) }) { task.cancel() }
        network.endStreams()
    }
}
