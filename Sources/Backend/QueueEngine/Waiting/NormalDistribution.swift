internal import Glibc

/// The standard normal distribution.
enum NormalDistribution {
    /// The probability of a value above `z`; accurate far out in the tail too.
    static func survival(_ z: Double) -> Double { 0.5 * erfc(z / 2.0.squareRoot()) }

    /// The value that a share `p` of the distribution lies below, for `p` between 0 and 1 exclusive.
    ///
    /// M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied
    /// Statistics 37 (1988): PPND16, with a relative error of about 1e-16.
    static func quantile(_ p: Double) -> Double {
        let q = p - 0.5
        if abs(q) <= 0.425 {
            let r = 0.180625 - q * q
            return q * polynomial(central.numerator, r) / polynomial(central.denominator, r)
        }
        let tail = (-log(max(min(p, 1 - p), .leastNormalMagnitude))).squareRoot()
        let value: Double
        if tail <= 5 {
            let r = tail - 1.6
            value = polynomial(middle.numerator, r) / polynomial(middle.denominator, r)
        } else {
            let r = tail - 5
            value = polynomial(far.numerator, r) / polynomial(far.denominator, r)
        }
        return q < 0 ? -value : value
    }

    private typealias Ratio = (numerator: [Double], denominator: [Double])

    /// Evaluates a polynomial whose coefficients begin with the constant term.
    private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
        coefficients.reversed().reduce(0) { $0 * x + $1 }
    }

    private static let central: Ratio = (
        [
            3.387_132_872_796_366_608, 133.141_667_891_784_377_45, 1_971.590_950_306_551_442_7,
            13_731.693_765_509_461_125, 45_921.953_931_549_871_457, 67_265.770_927_008_700_853,
            33_430.575_583_588_128_105, 2_509.080_928_730_122_672_7,
        ],
        [
            1, 42.313_330_701_600_911_252, 687.187_007_492_057_908_3,
            5_394.196_021_424_751_107_7, 21_213.794_301_586_595_867, 39_307.895_800_092_710_61,
            28_729.085_735_721_942_674, 5_226.495_278_852_854_561,
        ]
    )
    private static let middle: Ratio = (
        [
            1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_9,
            5.769_497_221_460_691_405_5, 3.647_848_324_763_204_605_04,
            1.270_458_252_452_368_382_58, 0.241_780_725_177_450_611_77,
            0.022_723_844_989_269_184_583_3, 0.000_774_545_014_278_341_407_64,
        ],
        [
            1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_4,
            0.689_767_334_985_100_004_55, 0.148_103_976_427_480_074_59,
            0.015_198_666_563_616_457_197, 0.000_547_593_808_499_534_494_6,
            1.050_750_071_644_416_843_24e-9,
        ]
    )
    private static let far: Ratio = (
        [
            6.657_904_643_501_103_777_2, 5.463_784_911_164_114_369_9,
            1.784_826_539_917_291_335_8, 0.296_560_571_828_504_891_23,
            0.026_532_189_526_576_123_093, 0.001_242_660_947_388_078_438_6,
            2.711_555_568_743_487_578_15e-5, 2.010_334_399_292_288_132_65e-7,
        ],
        [
            1, 0.599_832_206_555_887_937_69, 0.136_929_880_922_735_805_31,
            0.014_875_361_290_850_615_025, 0.000_786_869_131_145_613_259_1,
            1.846_318_317_510_054_681_8e-5, 1.421_511_758_316_445_888_7e-7,
            2.044_263_103_389_939_785_64e-15,
        ]
    )
}
