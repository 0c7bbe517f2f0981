package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.HugePages;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RunOptions;
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
    // More of them change little: every load already misses all caches and the page tables' caches.
    private static final long MOST_LOAD_BYTES = 1024 * MIB;
    private static final long LEAST_LOAD_BYTES = MIB;
    // Left to the system and to the asking process.
    private static final long SPARE_BYTES = 1536 * MIB;
    // Names of the child processes, for messages.
    private static final String LOADS = "loads";
    private static final String HUGE_LOADS = "loads, huge pages";

    private final DepthCase size;
    private final RunOptions options;
    private final PrintStream out;
    private final DepthFlow flow;
    private final CommandColumns batch;
    private final Children<DepthContender, DepthRunner> children = new Children<>();
    private final Map<DepthContender, DepthRunner.Memory> memories = new EnumMap<>(DepthContender.class);
    private final Map<DepthContender, List<DepthRunner.Round>> rounds = new EnumMap<>(DepthContender.class);
    private final Map<DepthContender, List<Double>> loads = new EnumMap<>(DepthContender.class);
    /** Notes on the results: books that were left out, and the memory of our book. */
    final List<String> notes = new ArrayList<>();
    // Of this round: by the flow, except the levels, which are the first book's.
    private BookAnswer wanted;
    private final Children<String, RandomLoad> loadsOfPages = new Children<>();

    DepthRounds(final DepthCase size, final RunOptions options, final PrintStream out)
    {
        this.size = size;
        this.options = options;
        this.out = out;
        flow = size.flow();
        batch = new CommandColumns("depth flow", size.commands());
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
        final DepthCase sizeOfBook = size;
        final int cpu = options.handlerCpu();
        children.start(contender, contender.flags(size),
            () -> new DepthRunner(sizeOfBook, contender, cpu));
        rounds.put(contender, new ArrayList<>());
        loads.put(contender, new ArrayList<>());
        long placed = 0;
        for (long more = 1; more > 0; placed += more)
        {
            more = children.ask(contender, DepthRunner::fill);
        }
        memories.put(contender, children.ask(contender, DepthRunner::memory));
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
        for (final DepthContender contender : children.contenders())
        {
            most = Math.max(most, Math.min(MOST_LOAD_BYTES, touched(contender)));
        }
        final String heap = (most + most / 8) / MIB + 64 + "m";
        final List<String> flags = List.of("-Xms" + heap, "-Xmx" + heap, "-Xmn32m");
        final List<String> hugeFlags = new ArrayList<>(flags);
        hugeFlags.add(HugePages.FLAG);
        final long bytes = most;
        final int cpu = options.handlerCpu();
        loadsOfPages.start(LOADS, flags, () -> new RandomLoad(bytes, cpu));
        loadsOfPages.start(HUGE_LOADS, hugeFlags, () -> new RandomLoad(bytes, cpu));
    }

    private long touched(final DepthContender contender)
    {
        return DepthResult.touched(size, contender, memories.get(contender).fullBytes());
    }

    private void measure(final int number) throws IOException
    {
        flow.next(batch, size.commands());
        wanted = null;
        Interleaving.run(out, size + (number > 0 ? ", round " + number + "/" + options.rounds() : ", warm-up") +
            ", ns/command:", number, children.contenders(), this::round);
    }

    private String round(final DepthContender contender, final int number) throws IOException
    {
        final DepthRunner.Round round = children.ask(contender, DepthRunner::round);
        final BookAnswer answer = round.book().answer();
        if (wanted == null)
        {
            wanted = new BookAnswer(flow.events(), flow.eventHash(), 0, flow.orders(), answer.levelHash());
        }
        WrongAnswerException.check(contender.toString(), wanted, answer);
        final long bytes = touched(contender);
        final double loadNs =
            loadsOfPages.ask(contender == DepthContender.HUGE ? HUGE_LOADS : LOADS, load -> load.stepNs(bytes));
        if (number > 0)
        {
            rounds.get(contender).add(round);
            loads.get(contender).add(loadNs);
        }
        return String.format(Locale.ROOT, "%s %.1f (load %.1f)", contender, round.book().ns(), loadNs);
    }

    /** A result for each book that ran. */
    List<DepthResult> results()
    {
        final List<DepthResult> results = new ArrayList<>();
        BookSummary reference = null;
        for (final DepthContender contender : children.contenders())
        {
            final List<BookRound> all = rounds.get(contender).stream().map(DepthRunner.Round::book).toList();
            final BookSummary summary = new BookSummary(contender.toString(), all);
            reference = reference == null ? summary : reference;
            final DepthRunner.Memory memory = memories.get(contender);
            results.add(new DepthResult(size, contender, summary, reference, loads.get(contender), touched(contender),
                memory.openedBytes(), memory.fullBytes(), Quantile.median(
                    rounds.get(contender).stream().mapToDouble(DepthRunner.Round::levels).toArray())));
            if (contender == DepthContender.MILLRACE)
            {
                notes.add(DepthTable.memory("the book for " + size, size.spec(false), memory.arrayBytes(),
                    memory.openedBytes()));
            }
        }
        return results;
    }

    @Override
    public void close()
    {
        children.close();
        loadsOfPages.close();
    }
}
