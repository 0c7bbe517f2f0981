package io.millrace.examples;

import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Replays small files that it writes, and the oracle's files if they exist. */
class ReplayOrdersTest
{
    private static final String HEADER = "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice\n";
    private static final String ROWS = HEADER +
        "0,F,PLACE_ORDER,1,7,102,10,ASK,GTC,0\n" +
        "1,F,PLACE_ORDER,2,7,101,5,ASK,GTC,0\n" +
        "2,F,PLACE_ORDER,3,8,99,8,BID,GTC,100\n" +
        "3,B,PLACE_ORDER,4,8,101,7,BID,GTC,101\n" +
        "4,B,PLACE_ORDER,5,7,100,6,ASK,IOC,0\n" +
        "5,B,PLACE_ORDER,1,7,103,1,ASK,GTC,0\n" +
        "6,B,CANCEL_ORDER,2,7,0,0,,,0\n" +
        "7,B,REDUCE_ORDER,3,8,0,3,,,0\n" +
        "8,B,MOVE_ORDER,3,8,101,0,,,0\n" +
        "9,B,PLACE_ORDER,6,8,0,1,BID,MARKET,0\n" +
        "10,B,PLACE_ORDER,7,8,1000,100,BID,FOK_BUDGET,1000\n";
    /** Computed by a few lines of Python, not by this code. */
    private static final String FUTURE_HASH = "f4b5da9e4d9b490e";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();

    private int replay(final Object... args) throws InterruptedException
    {
        outBytes.reset();
        errBytes.reset();
        return ReplayOrders.run(new PrintStream(outBytes, true, StandardCharsets.UTF_8),
            new PrintStream(errBytes, true, StandardCharsets.UTF_8),
            Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    }

    private List<String> out()
    {
        return outBytes.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceAll("  +", " ").strip())
            .toList();
    }

    private String err()
    {
        return errBytes.toString(StandardCharsets.UTF_8);
    }

    private Path file(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("commands.csv"), text);
    }

    @Test
    void shouldPrintCountsBookAndHashOfAFile() throws IOException, InterruptedException
    {
        assertEquals(0, replay(file(ROWS)), this::err);
        assertEquals(List.of(
            "commands 11", "PLACE_ORDER GTC 5", "PLACE_ORDER IOC 1", "PLACE_ORDER MARKET 1", "PLACE_ORDER FOK_BUDGET 1",
            "CANCEL_ORDER 1", "REDUCE_ORDER 1", "MOVE_ORDER 1",
            "results 11", "SUCCESS 9", "DUPLICATE_ORDER 1", "UNKNOWN_ORDER 1",
            "executions 6", "TRADE 3", "REJECT 2", "REDUCE 1", "trade volume 8",
            "ASK: orders 1, levels 1, volume 9", "price 102: volume 9, orders 1",
            "BID: orders 1, levels 1, volume 5", "price 101: volume 5, orders 1",
            "hash of the executions, FNV-1a-64:", FUTURE_HASH), out());
        assertEquals("", err());
    }

    @Test
    void shouldReportTheSameForTheCompressedFile() throws IOException, InterruptedException
    {
        assertEquals(0, replay(file(ROWS)), this::err);
        final List<String> plain = out();
        final Path gzip = folder.resolve("commands.csv.gz");
        try (OutputStream compressed = new GZIPOutputStream(Files.newOutputStream(gzip)))
        {
            compressed.write(ROWS.getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(0, replay(gzip), this::err);
        assertEquals(plain, out());
    }

    @Test
    void shouldPrintTradesWhenAsked() throws IOException, InterruptedException
    {
        assertEquals(0, replay("--trades", file(ROWS)), this::err);
        assertEquals(List.of(
            "trade in command 3: 5 at 101, taker 4 BID, maker 2",
            "trade in command 4: 2 at 101, taker 5 ASK, maker 4",
            "trade in command 9: 1 at 102, taker 6 BID, maker 1",
            "commands 11"), out().subList(0, 4));
        assertEquals(FUTURE_HASH, out().get(out().size() - 1));
    }

    @Test
    void shouldRefuseASpotBidAboveItsReservePrice() throws IOException, InterruptedException
    {
        assertEquals(0, replay(file(ROWS), "--spot"), this::err);
        assertTrue(out().contains("PRICE_OVER_RISK_LIMIT 1"), out()::toString);
        assertTrue(out().contains("price 99: volume 5, orders 1"), out()::toString);
    }

    @Test
    void shouldCountOrdersThatTheBookRefuses() throws IOException, InterruptedException
    {
        assertEquals(0, replay(file(HEADER +
            "0,F,PLACE_ORDER,1,7,-1,10,ASK,GTC,0\n" +
            "1,F,PLACE_ORDER,1,7,1,0,ASK,GTC,0\n" +
            "2,F,REDUCE_ORDER,1,7,0,-9223372036854775808,,,0\n")), this::err);
        assertTrue(out().containsAll(List.of("WRONG_PRICE 1", "WRONG_SIZE 2", "executions 0")), out()::toString);
        assertEquals("cbf29ce484222325", out().get(out().size() - 1), "hash of nothing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0,F,PLACE_ORDER,1,7,1,1,BUY,GTC,0 | :2: column 8 'BUY' is not one of BID ASK",
        "0,F,PLACE_ORDER,1,7,1,1,,GTC,0 | :2: column 8 '' is not one of BID ASK",
        "0,F,PLACE_ORDER,1,7,1,1,BID,FOK,0 | :2: column 9 'FOK' is not one of GTC IOC MARKET FOK_BUDGET",
        "0,F,ADD_USER,1,7,1,1,,,0 | :2: column 3 'ADD_USER' is not one of PLACE_ORDER CANCEL_ORDER REDUCE_ORDER MOVE",
        "0,F,PLACE_ORDER,x,7,1,1,BID,GTC,0 | :2: column 4 'x' is not a whole number",
        "0,F,MOVE_ORDER,1,7,,0,,,0 | :2: column 6 '' is not a whole number",
        "0,F,MOVE_ORDER,1,7,9223372036854775808,0,,,0 | :2: column 6 '9223372036854775808' is beyond a long",
        "1,F,CANCEL_ORDER,1,7,0,0,,,0 | :2: column 1 '1' is not the number of the row, which is 0",
        "0,F,CANCEL_ORDER,1,7,0,0,,0 | :2: 9 columns instead of 10"})
    void shouldReportTheWrongLine(final String row, final String message) throws IOException, InterruptedException
    {
        final Path file = file(HEADER + row + "\n");
        assertEquals(2, replay(file));
        assertTrue(err().startsWith("ReplayOrders: " + file + message), this::err);
        assertEquals(1, err().lines().count(), this::err);
        assertEquals(List.of(), out());
    }

    @Test
    void shouldRefuseAnotherKindOfFile() throws IOException, InterruptedException
    {
        assertEquals(2, replay(file("seq,cmd,symbol,orderId_or_txId,uid\n")));
        assertTrue(err().contains(":1: column 2 'cmd' is not 'phase': the first line must be " + HEADER.strip()),
            this::err);
        assertEquals(2, replay(file(HEADER.strip() + ",symbol\n")));
        assertTrue(err().contains(":1: column 11 'symbol' is one too many"), this::err);
        assertEquals(2, replay(file("seq,phase,cmd\n")));
        assertTrue(err().contains(":1: column 3 'cmd' is the last"), this::err);
        assertEquals(2, replay(file("")));
        assertTrue(err().contains("commands.csv is empty: the first line must be "), this::err);
    }

    @Test
    void shouldReportAMissingFile() throws InterruptedException
    {
        assertEquals(2, replay(folder.resolve("none.csv")));
        assertTrue(err().contains("none.csv (No such file or directory)"), this::err);
        assertEquals(2, replay(folder));
        assertTrue(err().contains(folder + " is not a regular file"), this::err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--spot", "--wrong a", "a b", "--trades --spot"})
    void shouldExplainItselfAfterAWrongOption(final String args) throws InterruptedException
    {
        assertEquals(2, replay((Object[])args.split(" ")));
        assertTrue(err().contains("usage: ReplayOrders FILE [--trades] [--spot]"), this::err);
        assertEquals(List.of(), out());
    }

    @ParameterizedTest
    @CsvSource({
        "margin_100k,--trades,4f3ac1443e85dccf,4227,37 993",
        "exchange_100k,--spot,ab958e3022081be2,4783,40 023"})
    void shouldHashTheOraclesStreamsLikeTheOracle(
        final String name, final String option, final String hash, final int trades, final String volume)
        throws InterruptedException
    {
        assertEquals(0, replay(SharedFile.of("oracle/" + name + ".commands.csv.gz"), option), this::err);
        assertEquals(hash, out().get(out().size() - 1));
        assertTrue(out().contains("SUCCESS 101,000"), out()::toString);
        assertTrue(out().contains("TRADE " + String.format(Locale.ROOT, "%,d", trades)), out()::toString);
        assertTrue(out().contains("trade volume " + volume.replace(' ', ',')), out()::toString);
        assertEquals(option.equals("--trades") ? trades : 0,
            out().stream().filter(line -> line.startsWith("trade in command ")).count());
    }
}
