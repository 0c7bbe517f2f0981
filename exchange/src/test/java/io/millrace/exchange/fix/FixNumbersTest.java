package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Prices, quantities and ids of FIX messages, at their limits; -1 is no number. */
class FixNumbersTest
{
    private static FIXValue value(final String text)
    {
        final FIXValue value = new FIXValue(64);
        value.setString(text);
        return value;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "007, 7", "9223372036854775807, 9223372036854775807", "9223372036854775808, -1",
        "9999999999999999999, -1", "18446744073709551616, -1", "'', -1", "-1, -1", "+1, -1", "1.0, -1", "1:, -1",
        "1/, -1", "' 1', -1"})
    void shouldReadAnIntegerOrSayThatItIsNone(final String text, final long expected)
    {
        assertEquals(expected, FixNumbers.integer(value(text)));
        assertEquals(expected, FixNumbers.integer(value(text), 5));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 50000", "5., 50000", "5.25, 52500", "005.2500, 52500", "5.0001, 50001", "5.00010, 50001",
        "5.0000000000, 50000", "5.00001, -1", "5.000010, -1", "0.0001, 1", ".5, -1", "., -1", "'', -1", "-5, -1",
        "+5, -1", "5e1, -1", "5.2e1, -1", "5.2.5, -1", "5..2, -1", "'5,2', -1", "5.2:, -1",
        "922337203685477.5807, 9223372036854775807", "922337203685477.58070, 9223372036854775807",
        "922337203685477.5808, -1", "922337203685477.581, -1",
        "922337203685477.580, 9223372036854775800", "922337203685477, 9223372036854770000",
        "922337203685478, -1", "9223372036854775807, -1", "9223372036854775808, -1"})
    void shouldReadAPriceOfFourDecimalsExactlyOrSayThatItIsNone(final String text, final long expected)
    {
        assertEquals(expected, FixNumbers.units(value(text)));
    }

    @Test
    void shouldSayThatAMissingFieldHasNoNumber()
    {
        assertEquals(FixNumbers.NONE, FixNumbers.integer(null));
        assertEquals(5, FixNumbers.integer(null, 5));
        assertEquals(FixNumbers.NONE, FixNumbers.units(null));
        assertEquals(FixNumbers.NONE, FixNumbers.whole(null));
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "100.0000000, 100", "100.5, -1", "100.0001, -1", "-100, -1",
        "922337203685477, 922337203685477", "922337203685478, -1"})
    void shouldReadAWholeQuantityOrSayThatItIsNone(final String text, final long expected)
    {
        assertEquals(expected, FixNumbers.whole(value(text)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0000", "1, 0.0001", "9999, 0.9999", "10000, 1.0000", "52500, 5.2500", "12340567, 1234.0567",
        "9223372036854775807, 922337203685477.5807"})
    void shouldWriteFourDecimalsThatItReadsAgain(final long units, final String text)
    {
        final FIXValue value = new FIXValue(64);
        FixNumbers.units(value, units, new StringBuilder("before"));
        assertEquals(text, value.asString().toString());
        assertEquals(units, FixNumbers.units(value));
    }
}
