package io.millrace.server.replay;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FileReplaySourceTest extends FileReplayFixture
{
    @Test
    void shouldReplayAPlainAndACompressedFileInOrder() throws IOException
    {
        final int rows = 5_000;
        for (final byte[] content : List.of(
            ReplayFiles.plain(ReplayFiles.numbered(rows)), ReplayFiles.gzip(ReplayFiles.numbered(rows))))
        {
            numbers.clear();
            final FileReplaySource<NumberEvent> source =
                new FileReplaySource<>(file(content), NumberEvent::decode);
            final Server server = Server.launch(context(source));
            drive(server, source);
            assertNumbersTo(rows);
            assertTrue(source.isExhausted());
            assertEquals(rows, server.counters().value("replay.published"));
            assertEquals(rows, server.counters().value("replay-source.rowsRead"));
            assertEquals(0, server.counters().value("replay-source.rowsSkipped"));
            assertEquals(0, server.counters().value("replay.pool.abandoned"));
        }
    }

    @Test
    void shouldNotPublishARowAgainWhosePublishThrew() throws IOException
    {
        final FileReplaySource<HookedEvent> source = new FileReplaySource<>(file(ReplayFiles.plain("0\n1\n2\n3\n")),
            (row, event) ->
            {
                event.number = row.longAt(0);
                return true;
            });
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(ex -> errors.add(ex.getCause().getMessage()))
            .agent("reader", a -> a.hosts("replay-source").onError(ErrorPolicy.SKIP_AND_RECORD))
            .flow("replay", f -> f.from(HookedEvent::new, CAPACITY, source).through(Pipelines.direct())
                .to("collect", (event, sequence, endOfBatch) ->
                {
                    numbers.add(event.number);
                    event.throwsOnRelease = event.number == 1;
                })));
        drive(server, source);
        assertNumbersTo(4);
        assertEquals(List.of("planned"), errors);
        assertEquals(0, server.counters().value("replay.pool.doubleReleases"));
    }

    @Test
    void shouldNotReleaseTheEventOfAFailedHandlerTwice() throws IOException
    {
        final FileReplaySource<NumberEvent> source =
            new FileReplaySource<>(file(ReplayFiles.plain(ReplayFiles.numbered(3))), NumberEvent::decode);
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(ex -> errors.add(ex.getCause().getMessage()))
            .flow("replay", f -> f.from(NumberEvent::new, CAPACITY, source).through(Pipelines.direct())
                .to("fail", (event, sequence, endOfBatch) ->
                {
                    throw new IllegalStateException("planned");
                })));
        drive(server, source);
        assertEquals(List.of("planned"), errors);
        assertEquals(0, server.counters().value("replay.pool.doubleReleases"));
    }

    private static final class HookedEvent extends BasePoolAware
    {
        private long number;
        private boolean throwsOnRelease;

        @Override
        protected void onRelease()
        {
            if (throwsOnRelease)
            {
                throwsOnRelease = false;
                throw new IllegalStateException("planned");
            }
        }
    }

    @Test
    void shouldReplaySeveralCompressedPartsAsOneFile() throws IOException
    {
        final byte[] first = ReplayFiles.gzip("34200.000000,0,0\n34200.00");
        final byte[] second = ReplayFiles.gzip("0001,1,1\n");
        final byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file(both), NumberEvent::decode);
        drive(Server.launch(context(source)), source);
        assertNumbersTo(2);
    }

    @Test
    void shouldLoseNoRowForLackOfCapacity() throws IOException
    {
        final Path file = file(ReplayFiles.plain(ReplayFiles.numbered(3_000)));
        for (final Pipelines.Spec<NumberEvent> pipeline : List.of(
            Pipelines.<NumberEvent>ring(), Pipelines.<NumberEvent>spsc(8), Pipelines.<NumberEvent>disruptor(8),
            Pipelines.<NumberEvent>direct()))
        {
            numbers.clear();
            final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file, NumberEvent::decode);
            drive(Server.launch(context(source, pipeline)), source);
            assertNumbersTo(3_000);
        }
    }

    @Test
    void shouldReplayToTheEndOnThreads() throws IOException, InterruptedException
    {
        final Path file = file(ReplayFiles.gzip(ReplayFiles.numbered(20_000)));
        for (final ThreadingMode mode : List.of(ThreadingMode.SHARED, ThreadingMode.DEDICATED))
        {
            numbers.clear();
            final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file, NumberEvent::decode);
            try (Server server = Server.launch(context(source).threadingMode(mode)))
            {
                assertTrue(server.awaitExhausted(TimeUnit.SECONDS.toNanos(60)), () -> server.counters().toString());
            }
            assertNumbersTo(20_000);
        }
    }

    @Test
    void shouldBlockInsteadOfRetryingUnderBlock() throws IOException, InterruptedException
    {
        final FileReplaySource<NumberEvent> source =
            new FileReplaySource<>(file(ReplayFiles.plain(ReplayFiles.numbered(20_000))), NumberEvent::decode);
        final Server.Context context = new Server.Context().flow("replay",
            f -> f.from(NumberEvent::new, CAPACITY, source).onFull(BackPressure.BLOCK)
                .to("collect", (event, sequence, endOfBatch) -> numbers.add(event.number)));
        try (Server server = Server.launch(context))
        {
            assertTrue(server.awaitExhausted(TimeUnit.SECONDS.toNanos(60)), () -> server.counters().toString());
            assertEquals(0, server.counters().value("replay.rejected"));
        }
        assertNumbersTo(20_000);
    }

    @Test
    void shouldSkipTheRowsThatTheDecoderIgnores() throws IOException
    {
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(
            file(ReplayFiles.plain(ReplayFiles.numbered(1_001))),
            (row, event) -> NumberEvent.decode(row, event) && event.number % 10 == 0);
        final Server server = Server.launch(context(source));
        drive(server, source);
        assertEquals(101, numbers.size());
        assertEquals(1_000L, numbers.get(100));
        assertEquals(1_001, source.rowsRead());
        assertEquals(900, source.rowsSkipped());
        assertEquals(900, server.counters().value("replay-source.rowsSkipped"));
        assertEquals(101, server.counters().value("replay.published"));
    }

    @Test
    void shouldNotReadAHeaderAsARow() throws IOException
    {
        final Path file = file(ReplayFiles.plain("time,number,square\n" + ReplayFiles.numbered(3)));
        final FileReplaySource<NumberEvent> source =
            new FileReplaySource<>(file, NumberEvent::decode).header().columns(3);
        drive(Server.launch(context(source)), source);
        assertNumbersTo(3);
        assertEquals(3, source.rowsRead());
    }

    @Test
    void shouldBeExhaustedAtOnceByAnEmptyFile() throws IOException
    {
        final Path file = file(new byte[0]);
        for (final FileReplaySource<NumberEvent> source : List.of(
            new FileReplaySource<>(file, NumberEvent::decode),
            new FileReplaySource<>(file, NumberEvent::decode).header(),
            new FileReplaySource<>(file, NumberEvent::decode).recordedPace(0, 1.0)))
        {
            drive(Server.launch(context(source)), source);
            assertTrue(source.isExhausted());
            assertEquals(0, source.rowsRead());
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAcceptAnotherSeparator() throws IOException
    {
        final Path file = file(ReplayFiles.plain(ReplayFiles.numbered(3).replace(',', '\t')));
        final FileReplaySource<NumberEvent> source =
            new FileReplaySource<>(file, NumberEvent::decode).separator('\t');
        drive(Server.launch(context(source)), source);
        assertNumbersTo(3);
    }

    @Test
    void shouldStopTheServerAtAMalformedRowByDefault() throws IOException, InterruptedException
    {
        final Path file = file(ReplayFiles.plain(ReplayFiles.numbered(2) + "34200.000002,two,4\n"));
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file, NumberEvent::decode);
        final Server server = Server.launch(context(source).threadingMode(ThreadingMode.DEDICATED));
        assertTrue(server.awaitClose(TimeUnit.SECONDS.toNanos(60)));
        assertNumbersTo(2);
        assertEquals(file + ":3: column 2 'two' is not a whole number", server.failure().getCause().getMessage());
        assertEquals(1, server.counters().value("replay-source.errors"));
    }

    @Test
    void shouldContinueAfterMalformedRowsUnderASkippingPolicy() throws IOException
    {
        final Path file = file(ReplayFiles.plain("34200.000000,0,0\nx\n34200.000001,1,1\n" +
            "34200.1,99999999999999999999,0\n34200,2,3,4\n34200.000002,2,4\n34200.000003,7,9\n" +
            "34200.000003 ,0,0\n34200.000003,3,9\n"));
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(file, (row, event) ->
        {
            NumberEvent.decode(row, event);
            if (event.number * event.number != event.square)
            {
                throw new IllegalStateException("no square");
            }
            return true;
        });
        final Server server = Server.launch(context(source).onError(ErrorPolicy.SKIP_AND_RECORD));
        drive(server, source);
        assertNumbersTo(4);
        assertEquals(List.of(
            file + ":2: 1 columns instead of 3: 'x'",
            file + ":4: column 2 '99999999999999999999' is beyond a long",
            file + ":5: 4 columns instead of 3: '34200,2,3,4'",
            file + ":7: the decoder failed, java.lang.IllegalStateException: no square: '34200.000003,7,9'",
            file + ":8: column 1 '34200.000003 ' is not a decimal number"), errors);
        assertEquals(9, source.rowsRead());
        assertEquals(5, server.counters().value("replay-source.errors"));
        assertEquals(0, server.counters().value("replay.pool.abandoned"));
    }

    @Test
    void shouldRefuseToLaunchWithoutItsFile() throws IOException
    {
        final Path missing = folder.resolve("missing.csv");
        assertLaunchFails(new FileReplaySource<>(missing, NumberEvent::decode), missing.toString());
        assertLaunchFails(new FileReplaySource<>(folder, NumberEvent::decode), folder + " is not a regular file");
        final Path header = file(ReplayFiles.plain("one,two\n"));
        assertLaunchFails(new FileReplaySource<>(header, NumberEvent::decode).header().columns(3),
            header + ":1: 2 columns instead of 3: 'one,two'");
        assertLaunchFails(new FileReplaySource<>(header, NumberEvent::decode).columns(2).recordedPace(2, 1.0),
            "time column 2 is not in 0..1");
    }

    private void assertLaunchFails(final FileReplaySource<NumberEvent> source, final String why)
    {
        final Exception refusal =
            assertThrows(IllegalStateException.class, () -> Server.launch(context(source)));
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    @Test
    void shouldRefuseImpossibleSettings()
    {
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(folder, NumberEvent::decode);
        assertRefused("columns 0 is not in 1..1024", () -> source.columns(0));
        assertRefused("columns 1025 is not in 1..1024", () -> source.columns(1_025));
        assertRefused("bufferLengthBytes 15 is not in 16..16777216", () -> source.bufferLengthBytes(15));
        assertRefused("time column -1 is not in 0..1023", () -> source.recordedPace(-1, 1.0));
        assertRefused("speed 0.0 is not in 0.001..1.0E9", () -> source.recordedPace(0, 0.0));
        assertRefused("speed NaN is not in 0.001..1.0E9", () -> source.recordedPace(0, Double.NaN));
        assertRefused("separator U+000A is a line end, a quote or not ASCII", () -> source.separator('\n'));
        assertRefused("separator U+00E9 is a line end, a quote or not ASCII", () -> source.separator('\u00e9'));
    }

    private static void assertRefused(final String message, final Runnable setting)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class, setting::run).getMessage());
    }

    @Test
    void shouldServeOneFlowOnly() throws IOException
    {
        final FileReplaySource<NumberEvent> source =
            new FileReplaySource<>(file(ReplayFiles.plain(ReplayFiles.numbered(1))), NumberEvent::decode);
        drive(Server.launch(context(source)), source);
        assertLaunchFails(source, "was started before: one source, one flow");
        assertThrows(IllegalStateException.class, source::header);
    }

    @Test
    void shouldContinueAfterAnotherServerTriedToUseIt() throws IOException
    {
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(
            file(ReplayFiles.plain(ReplayFiles.numbered(5_000))), NumberEvent::decode);
        final Server server = Server.launch(context(source));
        server.invoke();
        assertLaunchFails(source, "was started before: one source, one flow");
        drive(server, source);
        assertNumbersTo(5_000);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldServeAnotherServerWhenTheFirstDidNotStart() throws IOException
    {
        final FileReplaySource<NumberEvent> source = new FileReplaySource<NumberEvent>(
            file(ReplayFiles.plain("a,b,c\n" + ReplayFiles.numbered(3))), NumberEvent::decode)
            .header().recordedPace(0, 1e9);
        final FileReplaySource<NumberEvent> missing =
            new FileReplaySource<>(folder.resolve("missing.csv"), NumberEvent::decode);
        final Server.Context two = context(source).flow("second",
            f -> f.from(NumberEvent::new, CAPACITY, missing).to("none", this::collect));
        assertThrows(IllegalStateException.class, () -> Server.launch(two));
        drive(Server.launch(context(source)), source);
        assertNumbersTo(3);
    }

    @Test
    void shouldEndInGoodOrderWhenClosedInTheMiddle() throws IOException
    {
        final FileReplaySource<NumberEvent> source = new FileReplaySource<>(
            file(ReplayFiles.gzip(ReplayFiles.numbered(5_000))), NumberEvent::decode);
        final Server server = Server.launch(context(source, Pipelines.spsc(8)));
        server.invoke();
        server.invoke();
        server.close();
        assertFalse(source.isExhausted());
        assertNull(server.failure());
        assertEquals("", server.pools().describeInFlight());
        assertNumbersTo((int)server.counters().value("replay.published"));
    }
}
