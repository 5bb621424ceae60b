internal import CCups

/// An IPP request or answer (RFC 8010), freed with this value.
struct IPPMessage: ~Copyable {
    private var handle: OpaquePointer?

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// A request for these attributes of a printer or queue, which the URI names.
    init(_ operation: ipp_op_t, printer uri: String, attributes: [String] = []) {
        handle = ippNewRequest(operation)
        add("printer-uri", IPP_TAG_URI, uri)
        ippAddString(
            handle, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name", nil, cupsUser())
        guard let first = attributes.first else { return }
        var requested = ippAddString(
            handle, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "requested-attributes", nil, first)
        for (index, name) in attributes.enumerated().dropFirst() {
            ippSetString(handle, &requested, Int32(index), name)
        }
    }

    deinit { ippDelete(handle) }

    /// Gives the message to a function that frees it.
    consuming func release() -> OpaquePointer? {
        let handle = self.handle
        discard self
        return handle
    }

    mutating func add(_ name: String, _ value: Int) {
        ippAddInteger(handle, IPP_TAG_OPERATION, IPP_TAG_INTEGER, name, Int32(clamping: value))
    }

    mutating func add(_ name: String, _ tag: ipp_tag_t, _ value: String) {
        ippAddString(handle, IPP_TAG_OPERATION, tag, name, nil, value)
    }

    /// The message for functions that send it piece by piece.
    var pointer: OpaquePointer? { handle }

    /// Asks for completed jobs or for those that are not.
    mutating func setJobs(completed: Bool, atMost limit: Int) {
        add("which-jobs", IPP_TAG_KEYWORD, completed ? "completed" : "not-completed")
        add("limit", limit)
    }

    var isSuccess: Bool {
        ippGetStatusCode(handle).rawValue <= IPP_STATUS_OK_EVENTS_COMPLETE.rawValue
    }

    /// The values of an attribute of keywords, names, texts or URIs; empty if it is missing.
    func strings(_ name: String) -> [String] {
        guard let attribute = ippFindAttribute(handle, name, IPP_TAG_ZERO) else { return [] }
        // The limit is above the reasons and media of any printer.
        return (0..<min(ippGetCount(attribute), 256)).compactMap { index in
            ippGetString(attribute, index, nil).map { String(cString: $0) }
        }
    }

    /// The first value of an attribute in each group of an answer about several objects.
    func everyString(_ name: String) -> [String] {
        every(name) { attribute in ippGetString(attribute, 0, nil).map { String(cString: $0) } ?? ""
        }
    }

    /// Does the same as `everyString`, for integers and enums.
    func everyInteger(_ name: String) -> [Int] {
        every(name) { attribute in Int(ippGetInteger(attribute, 0)) }
    }

    private func every<Value>(_ name: String, _ value: (OpaquePointer) -> Value) -> [Value] {
        var found: [Value] = []
        var attribute = ippFindAttribute(handle, name, IPP_TAG_ZERO)
        // The limit is above the number of queues of any reasonable server.
        while let current = attribute, found.count < 256 {
            found.append(value(current))
            attribute = ippFindNextAttribute(handle, name, IPP_TAG_ZERO)
        }
        return found
    }

    func integer(_ name: String) -> Int? {
        guard let attribute = ippFindAttribute(handle, name, IPP_TAG_ZERO),
            [IPP_TAG_INTEGER, IPP_TAG_ENUM].contains(ippGetValueTag(attribute))
        else { return nil }
        return Int(ippGetInteger(attribute, 0))
    }

    func boolean(_ name: String) -> Bool? {
        guard let attribute = ippFindAttribute(handle, name, IPP_TAG_BOOLEAN) else { return nil }
        return ippGetBoolean(attribute, 0) != 0
    }

    /// The first resolution across the paper, in dots per inch.
    func dotsPerInch(_ name: String) -> Int? {
        guard let attribute = ippFindAttribute(handle, name, IPP_TAG_RESOLUTION) else { return nil }
        var feed: Int32 = 0
        var units = IPP_RES_PER_INCH
        let across = Int(ippGetResolution(attribute, 0, &feed, &units))
        return units == IPP_RES_PER_CM ? Int((Double(across) * 2.54).rounded()) : across
    }

    /// The first collection of `media-col-ready` or a similar attribute (PWG 5100.7) if its members are single
    /// integers: width, left and right margin in hundredths of a millimetre.
    func mediaCollection(_ name: String) -> (width: Int, left: Int?, right: Int?)? {
        guard let attribute = ippFindAttribute(handle, name, IPP_TAG_BEGIN_COLLECTION),
            let media = ippGetCollection(attribute, 0),
            let sizeAttribute = ippFindAttribute(media, "media-size", IPP_TAG_BEGIN_COLLECTION),
            let size = ippGetCollection(sizeAttribute, 0),
            let width = ippFindAttribute(size, "x-dimension", IPP_TAG_INTEGER)
        else { return nil }
        func margin(_ name: String) -> Int? {
            ippFindAttribute(media, name, IPP_TAG_INTEGER).map { Int(ippGetInteger($0, 0)) }
        }
        return (
            Int(ippGetInteger(width, 0)), margin("media-left-margin"), margin("media-right-margin")
        )
    }
}
