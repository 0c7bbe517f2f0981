package io.millrace.server.replay;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** One hour of a real stock, replayed through the server and compared with an independent reading of the file. */
class LobsterReplayTest
{
    private static final Path FILE = Path.of(System.getProperty("millrace.shared", "../../shared"),
        "data/lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv.gz");
    private static final int ROWS = 91_997;
    private static final int COLUMNS = 6;
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    private final long[][] fields = new long[ROWS][];
    private final int[] countByType = new int[8];
    private int handled;

    static final class Message extends BasePoolAware
    {
        long timeNs;
        long dueNs;
        int type;
        long orderId;
        long size;
        long price;
        int direction;
    }

    private static boolean decode(final CsvRow row, final Message message)
    {
        message.timeNs = row.timeNsAt(0);
        message.dueNs = row.dueNs();
        message.type = row.intAt(1);
        message.orderId = row.longAt(2);
        message.size = row.longAt(3);
        message.price = row.longAt(4);
        message.direction = row.intAt(5);
        return true;
    }

    @BeforeEach
    void readTheFileByOtherMeans() throws IOException
    {
        assumeTrue(Files.exists(FILE), () -> "skipped: there is no " + FILE);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(FILE)), StandardCharsets.US_ASCII)))
        {
            int rows = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                final String[] texts = line.split(",");
                fields[rows] = new long[COLUMNS];
                fields[rows][0] = new BigDecimal(texts[0]).movePointRight(9).longValue();
                for (int i = 1; i < COLUMNS; i++)
                {
                    fields[rows][i] = Long.parseLong(texts[i]);
                }
                rows++;
            }
            assertEquals(ROWS, rows);
        }
    }

    private Server.Context context(final FileReplaySource<Message> source)
    {
        return new Server.Context().flow("lobster", f -> f.from(Message::new, 4_096, source)
            .to("count", (message, sequence, endOfBatch) ->
            {
                assertArrayEquals(fields[handled], new long[]{message.timeNs, message.type, message.orderId,
                    message.size, message.price, message.direction});
                handled++;
                countByType[message.type]++;
            }));
    }

    private void assertAllHandled()
    {
        assertEquals(ROWS, handled);
        assertArrayEquals(new int[]{0, 44_256, 469, 41_004, 4_067, 2_201, 0, 0}, countByType);
    }

    @Test
    void shouldReplayTheHourInFileOrderAtFullSpeed() throws InterruptedException
    {
        final FileReplaySource<Message> source = new FileReplaySource<>(FILE, LobsterReplayTest::decode);
        try (Server server = Server.launch(context(source).threadingMode(ThreadingMode.DEDICATED)))
        {
            assertTrue(server.awaitExhausted(TimeUnit.SECONDS.toNanos(60)), () -> server.counters().toString());
            assertEquals(ROWS, server.counters().value("lobster-source.rowsRead"));
            assertEquals(ROWS, server.counters().value("count.handled"));
        }
        assertAllHandled();
    }

    @Test
    void shouldReplayTheHourAtItsOwnPaceByAManualClock()
    {
        final long[] nowNs = {0};
        final FileReplaySource<Message> source =
            new FileReplaySource<Message>(FILE, LobsterReplayTest::decode, () -> nowNs[0]).recordedPace(0, 1.0);
        try (Server server = Server.launch(context(source).threadingMode(ThreadingMode.INVOKER)))
        {
            final long stepNs = TimeUnit.SECONDS.toNanos(1);
            for (; nowNs[0] <= HOUR_NS; nowNs[0] += stepNs)
            {
                while (server.invoke() > 0)
                {
                    assertTrue(handled == 0 || fields[handled - 1][0] - fields[0][0] <= nowNs[0], "early");
                }
                // Every event that is due is handled, and no other.
                assertTrue(handled == ROWS || fields[handled][0] - fields[0][0] > nowNs[0], "late");
            }
            assertTrue(source.isExhausted());
        }
        assertAllHandled();
    }

    /** Takes the recorded time, so in normal mode only; the other tests replay the hour in both. */
    @Test
    @Tag("normal")
    void shouldReplayTheHourAtItsOwnPaceFiveThousandfold() throws InterruptedException
    {
        final FileReplaySource<Message> source =
            new FileReplaySource<Message>(FILE, LobsterReplayTest::decode).recordedPace(0, 5_000);
        final long startNs = System.nanoTime();
        try (Server server = Server.launch(context(source).threadingMode(ThreadingMode.SHARED)))
        {
            assertTrue(server.awaitExhausted(TimeUnit.SECONDS.toNanos(60)), () -> server.counters().toString());
        }
        final long leastNs = (fields[ROWS - 1][0] - fields[0][0]) / 5_000;
        assertTrue(System.nanoTime() - startNs >= leastNs, "an hour in less than " + leastNs + " ns");
        assertAllHandled();
    }
}
