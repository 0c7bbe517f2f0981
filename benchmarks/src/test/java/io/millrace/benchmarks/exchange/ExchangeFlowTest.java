package io.millrace.benchmarks.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class ExchangeFlowTest
{
    // A tenth of the published number for the large set-up; the single ones are small as they are.
    private static final int MEDIUM_RESTING = 100_000;
    private static final int TIMED = 400_000;
    private static final int FEW = 100_000;

    private static ExchangeFlow flow(final ExchangeSetup setup, final int timed)
    {
        return ExchangeFlow.of(setup, Math.min(setup.resting, MEDIUM_RESTING), timed, 1);
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldRefuseNothingWithRiskOn(final ExchangeSetup setup)
    {
        shouldRefuseNothing(ExchangeFlow.of(setup, Math.min(setup.resting, FEW / 4), FEW, 1), FEW);
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    @Tag("faults")
    void shouldRefuseNothingOfFourHundredThousandWithRiskOn(final ExchangeSetup setup)
    {
        shouldRefuseNothing(flow(setup, TIMED), TIMED);
    }

    private static void shouldRefuseNothing(final ExchangeFlow flow, final int timed)
    {
        // It says so with an exception if anything is refused.
        final ExchangeAnswer answer = flow.expected(flow.count());

        assertTrue(answer.trades() > timed / 50, answer.toString());
        assertTrue(Math.abs(answer.resting() - flow.fill()) <= flow.fill() / 5, answer.toString());
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldKeepTheMixWithinAPoint(final ExchangeSetup setup)
    {
        final ExchangeFlow flow = flow(setup, TIMED);
        final int[] counts = new int[CommandType.RESET + 1];
        int ioc = 0;
        int budget = 0;
        for (int i = flow.fill(); i < flow.count(); i++)
        {
            counts[flow.type(i)]++;
            if (flow.type(i) == CommandType.PLACE)
            {
                ioc += flow.orderType(i) == OrderType.IOC ? 1 : 0;
                budget += flow.orderType(i) == OrderType.FOK_BUDGET ? 1 : 0;
            }
        }
        // Of a thousand flows most are so short here that they are still at their beginning.
        final double points = setup == ExchangeSetup.MEDIUM ? 3.0 : 1.0;
        assertPercent(71.0, counts[CommandType.MOVE], points);
        assertPercent(7.3, counts[CommandType.CANCEL], points);
        assertPercent(7.3, counts[CommandType.REDUCE], points);
        assertPercent(12.7, counts[CommandType.PLACE] - ioc - budget, points);
        assertPercent(1.8, ioc, points);
        assertPercent(0.06, budget, points);
    }

    private static void assertPercent(final double expected, final int count, final double points)
    {
        assertEquals(expected, 100.0 * count / TIMED, points);
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldPlaceTheRestingOrdersFirst(final ExchangeSetup setup)
    {
        final ExchangeFlow flow = flow(setup, 0);
        for (int i = 0; i < flow.fill(); i++)
        {
            assertEquals(CommandType.PLACE, flow.type(i));
            assertEquals(OrderType.GTC, flow.orderType(i));
        }
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldBeTheSameInAFile(final ExchangeSetup setup, @TempDir final Path folder) throws IOException
    {
        final ExchangeFlow flow = ExchangeFlow.of(setup, Math.min(setup.resting, 10_000), 50_000, 7);
        final Path file = folder.resolve("flow");
        flow.write(file);
        final ExchangeFlow read = ExchangeFlow.read(file);

        assertEquals(setup, read.setup());
        assertEquals(flow.fill(), read.fill());
        assertEquals(hash(flow), hash(read));
        assertEquals(flow.expected(flow.count()), read.expected(read.count()));
    }

    @Test
    void shouldNotReadAnotherFile(@TempDir final Path folder) throws IOException
    {
        final Path file = folder.resolve("flow");
        Files.writeString(file, "not a flow at all");

        assertThrows(IOException.class, () -> ExchangeFlow.read(file));
    }

    @ParameterizedTest
    @EnumSource(ExchangeSetup.class)
    void shouldComeFromItsSeedAlone(final ExchangeSetup setup)
    {
        final int resting = Math.min(setup.resting, 10_000);

        assertEquals(hash(ExchangeFlow.of(setup, resting, 5_000, 3)), hash(ExchangeFlow.of(setup, resting, 5_000, 3)));
        assertNotEquals(
            hash(ExchangeFlow.of(setup, resting, 5_000, 3)), hash(ExchangeFlow.of(setup, resting, 5_000, 4)));
    }

    private static long hash(final ExchangeFlow flow)
    {
        long hash = 17;
        for (int i = 0; i < flow.count(); i++)
        {
            final long[] fields = {flow.type(i), flow.orderType(i), flow.side(i), flow.symbol(i), flow.orderId(i),
                flow.uid(i), flow.price(i), flow.size(i), flow.reserve(i)};
            for (final long field : fields)
            {
                hash = hash * 31 + field;
            }
        }
        return hash;
    }

    @Test
    void shouldGiveOnlyAccountsThatCommandsOfItsSymbolsNeed()
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MEDIUM, 20_000, 20_000, 1);
        final Set<Long> accounts = new HashSet<>();
        flow.forEachBalance((uid, currency, amount) -> accounts.add(uid << 32 | currency));

        assertEquals(10_000, accounts.size());
        assertEquals(32, flow.setup().currencies());
        for (int i = 0; i < flow.count(); i++)
        {
            final int index = flow.symbol(i) - flow.symbol(0) + indexOf(flow, 0);
            assertTrue(accounts.contains(flow.uid(i) << 32 | flow.terms(index).baseCurrency()));
            assertTrue(accounts.contains(flow.uid(i) << 32 | flow.terms(index).quoteCurrency()));
        }
    }

    private static int indexOf(final ExchangeFlow flow, final int command)
    {
        int index = 0;
        while (flow.spec(index).symbol() != flow.symbol(command))
        {
            index++;
        }
        return index;
    }

    @Test
    void shouldHaveAsManyFuturesAsSpotSymbolsOfVeryDifferentWeight()
    {
        final ExchangeFlow flow = ExchangeFlow.of(ExchangeSetup.MEDIUM, 100_000, 0, 1);
        int spot = 0;
        int greatest = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < flow.symbols(); i++)
        {
            spot += flow.spec(i).type() == SymbolType.SPOT ? 1 : 0;
            greatest = Math.max(greatest, flow.target(i));
            least = Math.min(least, flow.target(i));
        }
        assertEquals(500, spot, 10);
        assertTrue(greatest > 20 * least, greatest + " and " + least);
    }

    @Test
    void shouldExpectTheSameResultAfterOtherRequests()
    {
        final ExchangeFlow flow = flow(ExchangeSetup.SPOT, 20_000);
        final ExchangeAnswer early = flow.expected(5_000);
        final ExchangeAnswer late = flow.expected(21_000);

        assertNotEquals(early, late);
        final ExchangeFlow backwards = flow(ExchangeSetup.SPOT, 20_000);
        assertEquals(late, backwards.expected(21_000));
        assertEquals(early, backwards.expected(5_000));
    }

    @Test
    void shouldNameItsSetups()
    {
        assertEquals(ExchangeSetup.MEDIUM, ExchangeSetup.labelled("medium"));
        final IllegalArgumentException wrong =
            assertThrows(IllegalArgumentException.class, () -> ExchangeSetup.labelled("large"));
        assertEquals("large is not a set-up: single-margin, single-spot, medium, peak", wrong.getMessage());
    }
}
