package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.WireLine;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.jmh.book.BookSummary;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the books of one size, their rounds interleaved. One thread, which sleeps while a child runs.
 */
final class DepthRounds implements AutoCloseable
{
    /** Two million commands or more: the last compilation comes after one to two million of the benchmark flow. */
    static final int WARM_UP_ROUNDS = 8;

    private static final long MIB = 1 << 20;
    // More changes little: every load misses all caches and the page tables' by then.
    private static final long MOST_LOAD_BYTES = 1024 * MIB;
    private static final long LEAST_LOAD_BYTES = MIB;
    // Left to the system and to the asking process.
    private static final long SPARE_BYTES = 1536 * MIB;

    private final DepthCase size;
    private final RunOptions options;
    private final HostFiles host;
    private final PrintStream out;
    private final DepthFlow flow;
    private final RecordedCommands batch;
    private final Map<DepthContender, ChildProcess> children = new EnumMap<>(DepthContender.class);
    private final Map<DepthContender, WireLine> memories = new EnumMap<>(DepthContender.class);
    private final Map<DepthContender, List<DepthRound>> rounds = new EnumMap<>(DepthContender.class);
    private final Map<DepthContender, List<Double>> loads = new EnumMap<>(DepthContender.class);
    private final List<String> notes = new ArrayList<>();
    // Of this round: by the flow, but for the levels, which are the first book's.
    private BookAnswer wanted;
    private ChildProcess plainLoads;
    private ChildProcess hugeLoads;

    DepthRounds(final DepthCase size, final RunOptions options, final HostFiles host, final PrintStream out)
    {
        this.size = size;
        this.options = options;
        this.host = host;
        this.out = out;
        flow = size.flow();
        batch = new RecordedCommands("depth flow", size.commands());
    }

    void run() throws IOException
    {
        for (final DepthContender contender : DepthContender.of(size))
        {
            open(contender);
        }
        do
        {
            flow.fill(batch);
        }
        while (batch.count() > 0);
        startLoads();
        for (int i = 1 - WARM_UP_ROUNDS; i <= options.rounds(); i++)
        {
            measure(i);
        }
    }

    private void open(final DepthContender contender) throws IOException
    {
        final long available = availableBytes();
        if (available >= 0 && available < contender.heapBytes(size) + SPARE_BYTES)
        {
            notes.add(String.format(Locale.ROOT, "LEFT OUT: %s with %s: it needs a heap of %,d MiB, and %,d are free",
                contender, size, contender.heapBytes(size) / MIB, available / MIB));
            out.println(notes.get(notes.size() - 1));
            return;
        }
        final ChildProcess child = ChildProcess.start(contender.toString(), DepthMain.class,
            contender.flags(size), contender.name(), Integer.toString(size.orders()), Integer.toString(size.levels()),
            Integer.toString(options.handlerCpu()));
        children.put(contender, child);
        rounds.put(contender, new ArrayList<>());
        loads.put(contender, new ArrayList<>());
        long placed = 0;
        for (long more = 1; more > 0; placed += more)
        {
            more = child.ask(new WireLine("fill")).number("placed");
        }
        memories.put(contender, child.ask(new WireLine("memory")));
        out.printf(Locale.ROOT, "filled: %s, %,d orders on %,d levels%n", contender, placed, size.levels());
    }

    /** -1 when the system does not say. */
    private static long availableBytes()
    {
        final String text = HostFiles.valueOf(Path.of("/proc/meminfo"), "MemAvailable").replace("kB", "");
        final long kib = HostFiles.number(text, -1);
        return kib < 0 ? kib : kib << 10;
    }

    private void startLoads() throws IOException
    {
        long most = LEAST_LOAD_BYTES;
        for (final DepthContender contender : children.keySet())
        {
            most = Math.max(most, Math.min(MOST_LOAD_BYTES, touched(contender)));
        }
        final String heap = (most + most / 8) / MIB + 64 + "m";
        final List<String> flags = List.of("-Xms" + heap, "-Xmx" + heap, "-Xmn32m");
        final String cpu = Integer.toString(options.handlerCpu());
        plainLoads = ChildProcess.start("loads", MemoryMain.class, flags, Long.toString(most), cpu);
        final List<String> hugeFlags = new ArrayList<>(flags);
        hugeFlags.add(DepthContender.HUGE_PAGES);
        hugeLoads = ChildProcess.start("loads", MemoryMain.class, hugeFlags, Long.toString(most), cpu);
    }

    private long touched(final DepthContender contender)
    {
        return DepthResult.touched(size, contender, memories.get(contender).number("full"));
    }

    private void measure(final int number) throws IOException
    {
        flow.next(batch, size.commands());
        wanted = null;
        Interleaving.run(out, size + (number > 0 ? ", round " + number + "/" + options.rounds() : ", warm-up") +
            ", ns/command:", number, children.keySet(), this::round);
    }

    private String round(final DepthContender contender, final int number) throws IOException
    {
        final DepthRound round = children.get(contender).ask(new WireLine("round")).as(DepthRound.class);
        final BookAnswer answer = round.round().answer();
        if (wanted == null)
        {
            wanted = new BookAnswer(flow.events(), flow.eventHash(), 0, flow.orders(), answer.levelHash());
        }
        if (!wanted.equals(answer))
        {
            throw new WrongAnswerException(contender + ": " + answer + " instead of " + wanted);
        }
        final ChildProcess memory = contender == DepthContender.HUGE ? hugeLoads : plainLoads;
        final double loadNs = memory.ask(new WireLine("load").put("bytes", touched(contender))).fraction("ns");
        if (number > 0)
        {
            rounds.get(contender).add(round);
            loads.get(contender).add(loadNs);
        }
        return String.format(Locale.ROOT, "%s %.1f (load %.1f)", contender, round.round().ns(), loadNs);
    }

    /** A result for each book that ran. */
    List<DepthResult> results()
    {
        final List<DepthResult> results = new ArrayList<>();
        BookSummary reference = null;
        for (final DepthContender contender : children.keySet())
        {
            final List<BookRound> all = rounds.get(contender).stream().map(DepthRound::round).toList();
            final BookSummary summary = new BookSummary(contender.toString(), all);
            reference = reference == null ? summary : reference;
            final WireLine memory = memories.get(contender);
            results.add(new DepthResult(size, contender, summary, reference, loads.get(contender), touched(contender),
                memory.number("opened"), memory.number("full"), Quantile.median(
                    rounds.get(contender).stream().mapToDouble(DepthRound::levels).toArray())));
            if (contender == DepthContender.MILLRACE)
            {
                notes.add(DepthTable.memory("the book for " + size, size.spec(false), memory.number("arrays"),
                    memory.number("opened")));
            }
        }
        return results;
    }

    /** What there is to say beside the results: what was left out, and the memory of our book. */
    List<String> notes()
    {
        return notes;
    }

    @Override
    public void close()
    {
        children.values().forEach(ChildProcess::close);
        if (plainLoads != null)
        {
            plainLoads.close();
        }
        if (hugeLoads != null)
        {
            hugeLoads.close();
        }
    }
}
