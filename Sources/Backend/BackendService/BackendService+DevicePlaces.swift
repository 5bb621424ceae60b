internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// The places of a device whose browser has forgotten them: browsers delete what pages keep sooner than a cookie that no
/// script reads (rules: joining).
extension BackendService {
    /// Answers with the capabilities of the places that the caller's device has; a browser without the cookie has none.
    func listDevicePlaces(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        _ = try request.decoded(DevicePlacesRequest.self, "{}")
        try take(.lists, of: Self.limited(request), ["from": request.client])
        guard let pages = options.phones, let device = PhoneDevice(request, of: pages) else {
            return respond(Answers.response(DevicePlaces([])))
        }
        collect(placesOf: holders(of: device, request), [], respond)
    }

    /// Adds the places of each holder to those that were found.
    private func collect(
        placesOf holders: [HolderID], _ found: [ReservationRecord],
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        guard let holder = holders.first else {
            let capabilities = found.sorted { $0.hold.day < $1.hold.day }.compactMap { record in
                record.confirmation.map {
                    Self.capability($0.code, $0.number, on: record.hold.day)
                }
            }
            return respond(Answers.response(DevicePlaces(capabilities)))
        }
        store.places(of: holder) { [self] result in
            do throws(RefusedCall) {
                let places = try present(result)
                collect(placesOf: Array(holders.dropFirst()), found + places, respond)
            } catch { respond(error.response) }
        }
    }
}
