package io.millrace.examples;

import io.millrace.engine.tables.Fnv;
import io.millrace.gateway.itch.ItchBook;
import io.millrace.itchbook.BacktestItchBook;
import io.millrace.itchbook.MarketByOrderItchBook;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A back-test on LOBSTER messages: small files that the test writes, and an hour that is not part of the project. */
class BacktestLobsterTest
{
    private static final String HOUR = "data/lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv.gz";
    private static final String ROWS = String.join("\n",
        "34200.1,1,1,100,10000,1",
        "34200.2,1,2,100,10200,-1",
        "34200.3,5,0,70,10150,1",
        "34200.4,4,1,60,10000,1",
        "34200.5,2,2,30,10200,-1",
        "34200.6,6,0,10,10100,1",
        "34200.7,7,0,0,-1,-1",
        "34200.8,3,9,50,9900,1",
        "34200.9,3,2,70,10200,-1",
        "");

    @TempDir
    private Path folder;

    private Path file(final String name, final String text) throws IOException
    {
        final Path file = folder.resolve(name);
        try (OutputStream plain = Files.newOutputStream(file);
            OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain)
        {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }

    private static Backtest replay(final Path file, final int quoteEvery) throws IOException
    {
        final Backtest test = new Backtest(quoteEvery);
        test.replay(file);
        test.book.book().verify();
        return test;
    }

    @Test
    void shouldApplyEachTypeAndCountWhatIsUnknown() throws IOException
    {
        final Backtest test = replay(file("a.csv", ROWS), 0);
        assertEquals(60, test.lobster.sharesExecuted);
        assertEquals(1, test.lobster.anomalies, "order 9 was never added");
        assertEquals(10_000, test.book.bidPrice());
        assertEquals(40, test.book.bidShares());
        assertEquals(0, test.book.askShares());
        assertEquals(1, test.book.book().orderCount());
    }

    @Test
    void shouldFillSimulatedOrdersAsTheQueueMovesInPlainAndInGzipFiles() throws IOException
    {
        // The strategy joins both sides behind 100 shares. The order before it goes, and one behind it is executed.
        final String rows = "1,1,1,100,10000,1\n1,1,2,100,10200,-1\n1,1,3,100,9900,1\n1,1,4,100,9800,1\n" +
            "2,3,1,100,10000,1\n2,1,5,100,10000,1\n2,4,5,60,10000,1\n";
        final Backtest plain = replay(file("b.csv", rows), 4);
        assertEquals(plain.hash(), replay(file("b.csv.gz", rows), 4).hash());
        assertEquals(200, plain.strategy.sharesAhead);
        assertEquals(60, plain.strategy.makerShares);
        assertEquals(60, plain.strategy.position);
        assertEquals(-600_000, plain.strategy.cash);
        assertEquals(0, plain.lobster.anomalies);
        assertEquals(0, replay(file("c.csv", rows), 0).strategy.makerShares);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "x,1,1,100,10000,1 | column 1 'x' is not a decimal number",
        "1,0,1,100,10000,1 | column 2 '0' is not in 1..7",
        "1,8,1,100,10000,1 | column 2 '8' is not in 1..7",
        "1,1,-1,100,10000,1 | column 3 '-1' is not in 0..4611686018427387903",
        "1,1,a,100,10000,1 | column 3 'a' is not a whole number",
        "1,1,1,0,10000,1 | column 4 '0' is not in 1..4294967295",
        "1,1,1,100,4294967296,1 | column 5 '4294967296' is not in 1..4294967295",
        "1,1,1,100,10000,0 | column 6 '0' is not 1 (buy) or -1 (sell)",
        "1,1,1,100,10000 | 5 columns instead of 6: '1,1,1,100,10000'"})
    void shouldNameTheLineAndTheValueOfABadRow(final String row, final String expected) throws IOException
    {
        final Path file = file("bad.csv", ROWS + row + "\n");
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(2, Backtest.run(err, err, file.toString()));
        assertEquals("Backtest: " + file + ":10: " + expected, bytes.toString(StandardCharsets.UTF_8).strip());
    }

    /** Hash of the best prices after each message of the hour. */
    private static long bestPrices(final ItchBook book, final LobsterMessages messages) throws IOException
    {
        final long[] hash = {Fnv.OFFSET};
        messages.replay(SharedFile.of(HOUR), book, () -> hash[0] = Fnv.add(Fnv.add(Fnv.add(Fnv.add(
            hash[0], book.bidPrice()), book.bidShares()), book.askPrice()), book.askShares()));
        return hash[0];
    }

    /** Without simulated orders the matching book is the recorded one; 80 orders rested before the first row. */
    @Test
    void shouldFollowTheRecordedHour() throws IOException
    {
        final MarketByOrderItchBook reference = new MarketByOrderItchBook(1, 16_384);
        final BacktestItchBook matching = new BacktestItchBook(1, 16_384, (id, isBid, price, shares, isMaker) ->
        {
        });
        final LobsterMessages messages = new LobsterMessages();
        assertEquals(bestPrices(reference, new LobsterMessages()), bestPrices(matching, messages));
        assertEquals(84, messages.anomalies, "messages about 80 orders");
        assertEquals(350_494, messages.sharesExecuted);
        assertEquals(0, matching.recordedCrossings());
        assertEquals(reference.book().orderCount(), matching.book().orderCount());
    }

    @Test
    void shouldGiveTheSameHashForTheSameHour() throws IOException
    {
        final Backtest first = replay(SharedFile.of(HOUR), 500);
        assertEquals(first.hash(), replay(SharedFile.of(HOUR), 500).hash());
        assertTrue(first.strategy.makerShares > 1_000 && first.strategy.takerShares > 1_000);
        assertNotEquals(first.hash(), replay(SharedFile.of(HOUR), 499).hash());
    }

    @Test
    void shouldPrintTheResultOfTheHour() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(0, Backtest.run(out, out, SharedFile.of(HOUR).toString(), "0"));
        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals("91,997 messages, 350,494 shares executed, 84 anomalies", lines.get(0));
        assertEquals(4, lines.size(), lines::toString);
    }
}
