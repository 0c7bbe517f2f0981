package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateTest
{
    @Test
    void shouldReadAListInItsOrder()
    {
        assertEquals(
            List.of(new Rate(10_000), new Rate(1_000_000), new Rate(250_000), new Rate(2_500_000), new Rate(12_345)),
            Rate.parseList("10k, 1M,250000,2.5m,12345"));
    }

    @ParameterizedTest
    @CsvSource({
        "10000,10k", "100000,100k", "1000000,1m", "10000000,10m", "250000,250k", "2500000,2500k", "12345,12345"})
    void shouldNameARateShortly(final long perSecond, final String label)
    {
        assertEquals(label, new Rate(perSecond).label());
        assertEquals(List.of(new Rate(perSecond)), Rate.parseList(label));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10k,", ",", "ten", "10g", "-5k", "1e6", "1.0000001m", "0.5", "10 k"})
    void shouldRefuseWhatIsNotARate(final String list)
    {
        final InputException refused = assertThrows(InputException.class, () -> Rate.parseList(list));
        assertTrue(refused.getMessage().startsWith("report.rates '"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "99", "100000001", "101m", "999999999999"})
    void shouldRefuseARateOutOfRangeAndNameTheRange(final String list)
    {
        final InputException refused = assertThrows(InputException.class, () -> Rate.parseList(list));
        assertEquals("report.rates '" + list + "' is not in 100..100000000 events per second", refused.getMessage());
    }

    @Test
    void shouldRefuseTheSameRateTwice()
    {
        assertEquals("report.rates has 1000k twice",
            assertThrows(InputException.class, () -> Rate.parseList("1m,1000k")).getMessage());
    }

    @Test
    void shouldRefuseTooManyRates()
    {
        final String list = "1k,2k,3k,4k,5k,6k,7k,8k,9k,10k,11k,12k,13k,14k,15k,16k,17k,18k,19k,20k,21k";
        assertEquals("report.rates has 21 rates, not 1..20",
            assertThrows(InputException.class, () -> Rate.parseList(list)).getMessage());
    }
}
