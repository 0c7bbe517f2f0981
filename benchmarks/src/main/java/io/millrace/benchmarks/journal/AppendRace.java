package io.millrace.benchmarks.journal;

import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.RivalClass;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Appends of 64 bytes to our journal, Chronicle Queue and an Aeron Archive, each in its own JVM, their rounds
 * interleaved. The rivals are in no other build than that of the profile, and are left out where they are missing. One
 * thread.
 */
final class AppendRace
{
    private static final int WARM_UPS = 3;

    /** A log. */
    private enum Log
    {
        MILLRACE("millrace", "MillraceAppend"),
        CHRONICLE("Chronicle Queue", "ChronicleAppend"),
        AERON("Aeron Archive", "AeronArchiveAppend");

        private final String title;
        private final RivalClass<AppendPath> path;

        Log(final String title, final String className)
        {
            this.title = title;
            path = new RivalClass<>(Log.class.getPackageName() + "." + className, "journal-cost", AppendPath.class);
        }

        @Override
        public String toString()
        {
            return title;
        }

        /** The JVM flags that its documentation asks for. */
        private List<String> flags()
        {
            return switch (this)
            {
                case MILLRACE -> List.of();
                case CHRONICLE -> List.of(
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
                    "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
                    "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                    "--add-opens=java.base/java.io=ALL-UNNAMED",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    // It reports its use to its maker otherwise.
                    "-Dchronicle.analytics.disable=true",
                    "-Dchronicle.announcer.disable=true",
                    "-Ddisable.thread.safety=true",
                    "-Djvm.resource.tracing=false");
                case AERON -> List.of("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-Dagrona.disable.bounds.checks=true");
            };
        }
    }

    /** How much a round appends, and whether it is forced. */
    private enum Load
    {
        UNFORCED("not forced, 1,024 at a time", 200, 1_024, false),
        FORCED_1("forced one by one", 300, 1, true),
        FORCED_64("forced in batches of 64", 200, 64, true),
        FORCED_1024("forced in batches of 1,024", 40, 1_024, true);

        private final String title;
        private final int batches;
        private final int batch;
        private final boolean isForced;

        Load(final String title, final int batches, final int batch, final boolean isForced)
        {
            this.title = title;
            this.batches = batches;
            this.batch = batch;
            this.isForced = isForced;
        }
    }

    private final Path dir;
    private final int rounds;
    private final PrintStream out;
    private final TextTable table = new TextTable(2, "append of 64 bytes", "log", "ns", "least", "most", "to ours",
        "thread CPU ns", "process CPU ns", "B/append");
    private long checked;

    AppendRace(final Path dir, final int rounds, final PrintStream out)
    {
        this.dir = dir;
        this.rounds = rounds;
        this.out = out;
    }

    /** Runs it. */
    TextTable run() throws IOException
    {
        for (final boolean forces : new boolean[]{false, true})
        {
            run(forces);
        }
        return table;
    }

    /** Records that were read back. */
    long checked()
    {
        return checked;
    }

    private void run(final boolean forces) throws IOException
    {
        try (Children<Log, AppendPath> children = new Children<>())
        {
            for (final Log log : Log.values())
            {
                if (!log.path.isHere())
                {
                    out.println("without " + log + ": it is not in this build");
                    continue;
                }
                final String place = dir.resolve(log.name() + forces).toString();
                Files.createDirectories(dir);
                children.start(log, log.flags(), () -> log.path.make(Path.of(place), forces));
            }
            final Map<Log, Long> records = new EnumMap<>(Log.class);
            for (final Load load : Load.values())
            {
                if (load.isForced == forces)
                {
                    measure(load, children, records);
                }
            }
            for (final Log log : children.contenders())
            {
                final long hash = children.ask(log, AppendPath::contents);
                if (hash != AppendPath.expected(records.get(log)))
                {
                    throw new WrongAnswerException(log + ": the records read are not those appended");
                }
                checked += records.get(log);
            }
        }
    }

    private void measure(final Load load, final Children<Log, AppendPath> children, final Map<Log, Long> records)
        throws IOException
    {
        final int batches = load.batches;
        final int batch = load.batch;
        final Map<Log, Series<AppendRound>> all = new EnumMap<>(Log.class);
        children.contenders().forEach(log -> all.put(log, new Series<>(round -> true)));
        for (int round = -WARM_UPS; round < rounds; round++)
        {
            for (final Log log : all.keySet())
            {
                final AppendRound one = children.ask(log, path -> path.run(batches, batch));
                records.merge(log, one.records(), Long::sum);
                if (round >= 0)
                {
                    all.get(log).add(one);
                }
            }
        }
        final Series<AppendRound> ours = all.get(Log.MILLRACE);
        all.forEach((log, series) ->
        {
            final double[] ns = series.sorted(AppendRace::ns);
            table.add(load.title, log.toString(), Figure.three(series.median(AppendRace::ns)),
                Figure.three(ns[0]), Figure.three(ns[ns.length - 1]),
                series == ours ? "" : Figure.two(series.ratioTo(ours, AppendRace::ns)),
                median(series, one -> one.perRecord(one.threadCpuNs())),
                median(series, one -> one.perRecord(one.processCpuNs())),
                Figure.bytes(series.median(one -> one.perRecord(one.bytes()))));
        });
    }

    private static double ns(final AppendRound round)
    {
        return round.perRecord(round.elapsedNs());
    }

    private static String median(final Series<AppendRound> series, final ToDoubleFunction<AppendRound> what)
    {
        return Figure.three(series.median(what));
    }
}
