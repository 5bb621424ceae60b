"""Makes numbers of the countries that the arguments name, and says of each what python3-phonenumbers takes it for.

    read-numbers.py SEED COUNT CODE...

Prints lines of "NUMBER KIND VALID": of each country as many numbers of each kind as of the others, with digits that are
drawn, and random ones. A kind is the package's own word, as MOBILE.
"""

import random
import sys

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberType

KINDS = ["mobile", "fixed_line", "premium_rate", "shared_cost", "toll_free", "voip", "personal_number", "pager", "uan",
         "voicemail"]


def words(kind):
    return next(name for name, value in vars(PhoneNumberType).items() if value == kind and name.isupper())


def drawn(source, code, kind):
    """A number near an example of its kind: some of its last digits are others; or random digits."""
    region = source.choice([one for one in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[code]])
    data = PhoneMetadata.metadata_for_region(region)
    description = getattr(data, kind, None) if kind else None
    example = description.example_number if description else None
    if not example:
        length = source.choice([6, 7, 8, 9, 10, 11, 12])
        return "".join(source.choice("0123456789") for _ in range(length))
    kept = source.randint(1, len(example))
    length = len(example) + source.choice([0] * 12 + [-1, 1])
    tail = "".join(source.choice("0123456789") for _ in range(max(0, length - kept)))
    return (example[:kept] + tail)[:length]


def main():
    source = random.Random(int(sys.argv[1]))
    count, codes = int(sys.argv[2]), [int(code) for code in sys.argv[3:]]
    for index in range(count):
        code = codes[index % len(codes)]
        kind = (KINDS + [None])[index // len(codes) % (len(KINDS) + 1)]
        number = f"+{code}{drawn(source, code, kind)}"
        try:
            parsed = phonenumbers.parse(number, None)
        except phonenumbers.NumberParseException:
            print(number, "NONE", "0")
            continue
        national = phonenumbers.national_significant_number(parsed)
        kind = words(phonenumbers.number_type(parsed))
        # The number as it is dialled from abroad: a digit of home is left out.
        print(number, kind, f"+{parsed.country_code}{national}")


if __name__ == "__main__":
    main()
