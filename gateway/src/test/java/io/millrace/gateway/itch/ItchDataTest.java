package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Real messages and packets: what must come out is in the README of the data. */
class ItchDataTest
{
    private final Map<Integer, MapBook> books = new HashMap<>();
    private final ItchBooks itch = new ItchBooks((locate, symbol) ->
    {
        books.put(locate, new MapBook());
        return books.get(locate);
    });

    private static Map<Character, Long> counts(final ItchCounters counters)
    {
        final Map<Character, Long> counts = new TreeMap<>();
        for (final char type : ItchDescriptor.types().toCharArray())
        {
            if (counters.messages(type) > 0)
            {
                counts.put(type, counters.messages(type));
            }
        }
        return counts;
    }

    private static void assertClean(final ItchCounters counters)
    {
        assertEquals(0, counters.unknownTypes() + counters.wrongLengths() + counters.truncated() +
            counters.bytesSkipped());
    }

    /** Applies a whole file; the number of changes. */
    private int apply(final ItchFile file) throws IOException
    {
        final int[] changes = new int[1];
        while (!file.isExhausted())
        {
            file.poll(message ->
            {
                changes[0] += itch.apply(message) ? 1 : 0;
                return true;
            }, 1_000);
        }
        return changes[0];
    }

    @Test
    void shouldPublishEachChangeOfTheHour() throws IOException
    {
        final Path hour = SharedData.file(SharedData.HOUR);
        final BboEvent last = new BboEvent();
        final List<String> errors = new ArrayList<>();
        final ItchFile file = new ItchFile(hour);
        final ItchBboSource source = new ItchBboSource(file, itch, () -> 77).session(5).midnight(1_000);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(ex -> errors.add(ex.toString()))
            // Full nearly always, so the source waits in the middle of its polls.
            .flow("itch", f -> f.from(BboEvent::new, 64, source).through(Pipelines.spsc(16))
                .to("check", (event, sequence, endOfBatch) ->
                {
                    if (event.sequence() != last.sequence() + 1 || event.session() != 5 ||
                        event.receiveTimeNs() != 77 || event.sendTimeNs() < last.sendTimeNs() || event.isCrossed())
                    {
                        errors.add("event " + event.sequence() + " after " + last.sequence());
                    }
                    last.copyOf(event);
                }))))
        {
            while (!source.isExhausted())
            {
                server.invoke();
            }
            server.invoke();
            assertEquals(23_456, server.counters().value("itch-source.changes"));
            assertEquals(92_082, server.counters().value("itch-source.messages"));
        }
        assertEquals(List.of(), errors);
        assertEquals(Map.of('A', 44_336L, 'D', 41_004L, 'E', 4_067L, 'P', 2_201L, 'X', 469L, 'R', 1L, 'S', 4L),
            counts(file.counters()));
        assertClean(file.counters());
        assertEquals(0, itch.anomalies());
        assertEquals(0, itch.crossed());
        assertEquals(350_494, itch.sharesExecuted());
        assertEquals(23_456, last.sequence());
        assertEquals("AAPL", Symbols.text(last.symbol()));
        assertEquals(List.of(5_856_900L, 10L, 5_859_500L, 100L),
            List.of(last.bidPrice(), last.bidShares(), last.askPrice(), last.askShares()));
    }

    @Test
    void shouldCountTheMissingOrdersOfASampleThatHasNoLengths() throws IOException
    {
        try (ItchFile file = new ItchFile(SharedData.file(SharedData.SAMPLE)))
        {
            assertEquals(392, apply(file));
            assertEquals(Map.of('A', 4_997L, 'D', 1_745L, 'E', 198L, 'F', 3L, 'H', 3L, 'P', 5_000L, 'R', 3L, 'S', 6L,
                'U', 12L, 'X', 45L), counts(file.counters()));
            assertEquals(12_012, file.counters().messages());
            assertClean(file.counters());
        }
        assertEquals(117, itch.anomalies());
        assertEquals(6_959, itch.crossed());
        assertEquals(3, books.size());
        assertEquals(3_204, books.values().stream().mapToInt(MapBook::orderCount).sum());
    }

    @Test
    void shouldReadTheStartOfADay() throws IOException
    {
        try (ItchFile file = new ItchFile(SharedData.file(SharedData.DAY_START)))
        {
            assertEquals(0, apply(file));
            assertEquals(Map.of('R', 993L, 'H', 3L, 'Y', 3L, 'S', 1L), counts(file.counters()));
            assertClean(file.counters());
        }
    }

    @Test
    void shouldBuildOnlySelectedBooks() throws IOException
    {
        try (ItchFile file = new ItchFile(SharedData.file(SharedData.HOUR)))
        {
            final ItchBooks none = new ItchBooks((locate, symbol) -> new MapBook(), Symbols.of("MSFT"));
            final int[] messages = new int[1];
            while (!file.isExhausted())
            {
                messages[0] += file.poll(message -> !none.apply(message), 100_000);
            }
            assertEquals(92_082, messages[0]);
            assertEquals(0, none.anomalies() + none.sharesExecuted());
        }
    }

    @Test
    void shouldDecodeEachMessageOfEachRealPacket() throws IOException
    {
        long messages = 0;
        final List<Path> files = SharedData.pcaps("Nasdaq.Equities.TotalView.Itch");
        assertFalse(files.isEmpty());
        for (final Path path : files)
        {
            final PcapFile file = new PcapFile(path);
            try (PcapItchInput input = new PcapItchInput(file))
            {
                long delivered = 0;
                while (!input.isExhausted())
                {
                    delivered += input.poll(message ->
                    {
                        assertTrue(message.length() >= 12);
                        assertTrue(message.timeNs() < 86_400_000_000_000L);
                        return true;
                    }, 7);
                }
                assertEquals(delivered, input.counters().messages(), path.toString());
                assertEquals(path.toString().contains("Multiple.Packets") ? 39 : file.packets(), delivered);
                assertClean(input.counters());
                assertEquals(0, file.malformed() + file.otherPackets() + input.malformedPackets(), path.toString());
                messages += delivered;
            }
        }
        assertEquals(117, messages);
    }

    @Test
    void shouldSkipPacketsOfAnotherProtocol() throws IOException
    {
        for (final Path path : SharedData.pcaps("Nasdaq.Nsm.Ouch"))
        {
            try (PcapFile file = new PcapFile(path))
            {
                assertFalse(file.next());
                assertEquals(1, file.otherPackets());
                assertEquals(0, file.packets() + file.malformed());
            }
        }
    }
}
