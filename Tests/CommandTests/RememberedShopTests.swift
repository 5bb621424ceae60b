import Reservations
import Testing

@testable import KioskCommands

struct RememberedShopTests {
    private func shop(_ help: ShopHelp?) -> MachineProfile {
        MachineProfile(
            machine: MachineID("door"), shop: ShopID("shop"), shopName: "Shop",
            timeZone: "Europe/Rome", languages: ["it", "de"],
            now: LocalMoment(Moment(milliseconds: 0), offsetMinutes: 60), help: help)
    }

    @Test("The shop's languages and its telephone number are known at the next start")
    func kept() throws {
        try withFolder { folder in
            let remembered = RememberedShop(state: folder)
            #expect(remembered.help == nil)
            #expect(remembered.keep(shop(ShopHelp(phone: "+39 02 1234 567", showsNames: true))))
            let next = RememberedShop(state: folder)
            #expect(next.help == ShopHelp(phone: "+39 02 1234 567", showsNames: true))
            #expect(next.order(["de", "en", "it"], isConfigured: false) == ["it", "de", "en"])
            #expect(!next.differs(from: shop(ShopHelp(phone: "+39 02 1234 567", showsNames: true))))
            #expect(next.differs(from: shop(ShopHelp())))
        }
    }

    @Test("An older backend, which says nothing about help, leaves the number as it was")
    func olderBackend() throws {
        try withFolder { folder in
            let remembered = RememberedShop(state: folder)
            #expect(remembered.keep(shop(ShopHelp(phone: "112 233"))))
            #expect(!remembered.differs(from: shop(nil)))
            #expect(remembered.keep(shop(nil)))
            #expect(remembered.help?.phone == "112 233")
        }
    }

    @Test("A number of blanks or with a line end does not spoil the file")
    func strangeNumber() throws {
        try withFolder { folder in
            let remembered = RememberedShop(state: folder)
            #expect(remembered.keep(shop(ShopHelp(phone: "  "))))
            #expect(remembered.help == ShopHelp())
            #expect(remembered.keep(shop(ShopHelp(phone: "02\nlanguages = xx"))))
            #expect(remembered.help?.phone == "02 languages = xx")
        }
    }
}
