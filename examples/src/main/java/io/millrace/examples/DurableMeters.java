package io.millrace.examples;

import io.millrace.journal.DurableHandler;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** An own handler that survives a kill: the consumption of electricity meters. See docs/durable-handler.md. */
public final class DurableMeters
{
    private static final int METERS = 100;

    static final class Meters implements DurableHandler<MeterReading>
    {
        private final long[] totals = new long[METERS];

        @Override
        public void onEvent(final MeterReading event, final long sequence, final boolean endOfBatch)
        {
            totals[Math.floorMod(event.meter, METERS)] += event.wattHours;
        }

        @Override
        public void writeTo(final SnapshotOutput out) throws IOException
        {
            for (final long total : totals)
            {
                out.putLong(total);
            }
        }

        @Override
        public void readFrom(final SnapshotInput in) throws IOException
        {
            for (int meter = 0; meter < METERS; meter++)
            {
                totals[meter] = in.getLong();
            }
        }

        @Override
        public long stateHash()
        {
            long hash = 0;
            for (final long total : totals)
            {
                hash = hash * 31 + total;
            }
            return hash;
        }
    }

    private DurableMeters()
    {
    }

    /**
     * Recovers, takes a hundred readings, and prints the first meter.
     *
     * @param args directory of the journal.
     */
    public static void main(final String[] args)
    {
        run(System.out, Path.of(args.length > 0 ? args[0] : "target/meters"));
    }

    static void run(final PrintStream out, final Path directory)
    {
        final Meters meters = new Meters();
        final InVmSource<MeterReading> readings = new InVmSource<>(MeterReading::new, 128);
        final Journal<MeterReading> journal = Journal.open(
            new JournalContext<>(directory, new MeterReading.Codec(), MeterReading::new).segmentBytes(1 << 22));
        journal.follow(new Meters(), 100_000);
        try (Server server = Server.launch(new Server.Context().service(journal)
            .flow("readings", f -> f.from(readings)
                .to("journal", journal.stage())
                .to("meters", journal.recovering(meters), "journal"))))
        {
            out.println(server.counters().value("journal.committed") + " readings recovered");
            for (int i = 0; i < METERS; i++)
            {
                final MeterReading reading = readings.claim();
                reading.meter = i;
                reading.wattHours = 5;
                readings.publish(reading);
            }
        }
        if (journal.failure() != null)
        {
            throw new IllegalStateException("readings are lost: the journal failed", journal.failure());
        }
        out.println("meter 0: " + meters.totals[0] + " Wh");
    }
}
