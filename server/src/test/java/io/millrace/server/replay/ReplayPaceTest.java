package io.millrace.server.replay;

import io.millrace.server.ErrorPolicy;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReplayPaceTest
{
    /** Any number: a nanosecond clock begins anywhere, also shortly before it overflows. */
    private static final long START_NS = Long.MAX_VALUE - 2_000_000_000L;

    @TempDir
    private Path folder;

    private final List<Long> numbers = new ArrayList<>();
    private final List<Long> duesNs = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private long nowNs = START_NS;
    private FileReplaySource<NumberEvent> source;
    private Server server;

    private void launch(final String rows, final double speed) throws IOException
    {
        source = new FileReplaySource<NumberEvent>(
            Files.writeString(folder.resolve("recorded"), rows), NumberEvent::decode, () -> nowNs)
            .recordedPace(0, speed);
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .onError(ErrorPolicy.SKIP_AND_RECORD).errorHandler(ex -> errors.add(ex.getCause().getMessage()))
            .flow("replay", f -> f.from(NumberEvent::new, 64, source).to("collect", (event, sequence, endOfBatch) ->
            {
                assertTrue(event.dueNs - nowNs <= 0, "early");
                numbers.add(event.number);
                duesNs.add(event.dueNs - START_NS);
            })));
    }

    @AfterEach
    void shouldHaveReleasedEverything()
    {
        server.close();
        assertEquals("", server.pools().describeInFlight());
    }

    private List<Long> handledAt(final long afterStartNs)
    {
        nowNs = START_NS + afterStartNs;
        for (int i = 0; i < 20; i++)
        {
            server.invoke();
        }
        final List<Long> handled = List.copyOf(numbers);
        numbers.clear();
        return handled;
    }

    @Test
    void shouldPublishEachRowWhenItIsDueAndNotBefore() throws IOException
    {
        launch("34200.5,0,0\n34200.500000001,1,1\n34201,2,4\n34204.1,3,9\n", 1.0);
        assertEquals(List.of(0L), handledAt(0));
        assertEquals(List.of(1L), handledAt(1));
        assertEquals(List.of(), handledAt(499_999_999));
        assertEquals(List.of(2L), handledAt(500_000_000));
        assertEquals(List.of(), handledAt(3_599_999_999L));
        assertFalse(source.isExhausted());
        assertEquals(List.of(3L), handledAt(3_600_000_000L));
        assertTrue(source.isExhausted());
        assertEquals(List.of(0L, 1L, 500_000_000L, 3_600_000_000L), duesNs);
    }

    @Test
    void shouldCatchUpAfterAPauseAndKeepTheIntendedTimes() throws IOException
    {
        launch("1,0,0\n2,1,1\n3,2,4\n4,3,9\n", 1.0);
        assertEquals(List.of(0L), handledAt(0));
        assertEquals(List.of(1L, 2L), handledAt(2_500_000_000L));
        assertEquals(List.of(3L), handledAt(3_000_000_000L));
        assertEquals(List.of(0L, 1_000_000_000L, 2_000_000_000L, 3_000_000_000L), duesNs);
    }

    @Test
    void shouldDivideTheTimesByTheFactor() throws IOException
    {
        launch("10,0,0\n10.000000100,1,1\n10.000000101,2,4\n", 2.0);
        assertEquals(List.of(0L), handledAt(49));
        assertEquals(List.of(1L), handledAt(99));
        assertEquals(List.of(2L), handledAt(100));
        assertEquals(List.of(49L, 99L, 100L), duesNs);
    }

    @Test
    void shouldKeepTheOrderOfTheFileWhereItsTimesGoBack() throws IOException
    {
        launch("10,0,0\n12,1,1\n11,2,4\n9,3,9\n12.5,4,16\n", 1.0);
        assertEquals(List.of(0L), handledAt(1_500_000_000L));
        assertEquals(List.of(), handledAt(3_000_000_000L));
        assertEquals(List.of(1L, 2L, 3L), handledAt(3_500_000_000L));
        assertEquals(List.of(4L), handledAt(4_000_000_000L));
    }

    @Test
    void shouldRefuseAMalformedTime() throws IOException
    {
        launch("10,0,0\nnoon,1,1\n9000000000,2,4\n10,3,9\n", 1.0);
        assertEquals(List.of(0L, 3L), handledAt(10));
        final Path file = folder.resolve("recorded");
        final String tooFar = "is more than 146 years from the time of the first row at speed 1.0";
        assertEquals(List.of(file + ":2: column 1 'noon' is not a decimal number",
            file + ":3: column 1 '9000000000' " + tooFar), errors);
        assertEquals(4, source.rowsRead());
    }

    @Test
    void shouldNeverPublishEarlyAtAnyTimes() throws IOException
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 2_000; i++)
        {
            rows.append(random.nextInt(5)).append('.').append(random.nextInt(1_000_000_000)).append(',').append(i)
                .append(",0\n");
        }
        launch(rows.toString(), 0.001 + 10 * random.nextDouble());
        final List<Long> all = new ArrayList<>();
        for (int i = 0; i < 1_000_000 && !source.isExhausted(); i++)
        {
            nowNs += random.nextInt(1_000_000_000);
            server.invoke();
        }
        server.close();
        all.addAll(numbers);
        assertEquals(2_000, all.size(), "seed " + seed);
        for (int i = 0; i < all.size(); i++)
        {
            assertEquals(i, all.get(i), "seed " + seed);
        }
    }
}
