internal import BackendAPI
internal import Cryptography
private import Dispatch
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// The way back for customers who are blocked after missed calls: eight digits on their phone, with which the staff lift the
/// block (rules: blocks).
extension BackendService {
    /// The hash of a PIN takes memory and time: one is made at a time.
    private static let pinQueue = DispatchQueue(label: "clup.staff-pins", qos: .utility)

    /// The answer to a holder's request, as it is stored: with the reference if the holder is blocked.
    func answer(
        _ result: Result<QueueOutcome, Refused>, at now: Moment, to holder: HolderID
    ) -> StoredAnswer {
        guard case .failure(let refused) = result, refused.refusal == .blocked,
            let signer = options.answerSigner
        else { return answer(result, at: now) }
        var problem = Problem(refused)
        problem.reference = signer.blockReference(of: holder)
        return Answers.stored(problem)
    }

    /// The command to lift the block of the holder with this reference, if there is one in the shop.
    func unblocking(_ reference: BlockReference, in shop: ShopID) -> MachineRequest {
        .queue(
            .unblock(
                options.answerSigner.flatMap { signer in
                    store.blockedHolders(of: shop).first {
                        signer.blockReference(of: $0) == reference
                    }
                }))
    }

    /// Continues if the body of a call from a page of the staff has the shop's PIN. Wrong ones count as wrong references do.
    func checkPIN(
        of call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void,
        _ proceed: @escaping @Sendable () throws(RefusedCall) -> Void
    ) throws(RefusedCall) {
        guard let pin = JSONText.value(StaffActionRequest.self, call.request.body)?.pin,
            StaffPIN.isPIN(pin)
        else {
            throw RefusedCall(.malformed, "\"pin\" must be the \(StaffPIN.length) digits")
        }
        try take(.unblocks, of: call.caller)
        store.staffPIN(of: call.shop.id) { [self] result in
            do throws(RefusedCall) {
                guard let right = try present(result) else { throw RefusedCall(.noStaffPIN) }
                Self.pinQueue.async { [self] in
                    do throws(RefusedCall) {
                        guard right.matches(pin) else {
                            log.note("wrong-staff-pin", ["machine": call.caller.machine.rawValue])
                            throw RefusedCall(.wrongPIN)
                        }
                        limiters[.unblocks]?.giveBack(call.caller.limited)
                        try proceed()
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }
}

extension AnswerSigner {
    /// So many decimal digits, which are made from the text with the key.
    func digits(_ count: Int, of text: String) -> String {
        let value = proof(of: text, bytes: 7).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let most = (0..<count).reduce(UInt64(1)) { power, _ in power * 10 }
        return Int(value % most).padded(count)
    }

    /// The same in every shop, so that a block may concern all of them.
    fileprivate func blockReference(of holder: HolderID) -> BlockReference? {
        BlockReference(
            rawValue: digits(BlockReference.length, of: "block-reference.\(holder)"))
    }
}
