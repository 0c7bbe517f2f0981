package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.CommandColumns;
import java.util.ArrayList;
import java.util.List;

import io.millrace.benchmarks.harness.HugePages;
import io.millrace.benchmarks.jmh.book.BookContender;

/**
 * The contenders, each in its own JVM. Stateless; any thread.
 */
public enum DepthContender
{
    /**
     * Our book with the default window.
     */
    MILLRACE("millrace", true),

    /**
     * The same with a heap on huge pages, which needs fewer page-table walks.
     */
    HUGE("millrace, huge pages", true),

    /**
     * Our book with the smallest window: nearly all levels are outside of it.
     */
    FAR("millrace, out of window", true),

    /**
     * The direct book of exchange-core; there only when it was compiled in.
     */
    EXCHANGE_CORE("exchange-core", false);

    /**
     * Flag for a heap on huge pages where the system gives them on request.
     */

    // Otherwise the serial collector leaves a part of the garbage, in three of four cases.
    private static final String COMPACT = "-XX:MarkSweepAlwaysCompactCount=1";
    private static final long MIB = 1 << 20;
    // The JVM, a batch of commands (8 MB; as objects 34 MB) and what the checks allocate between rounds.
    private static final long OTHERS_BYTES = 220 * MIB;
    // An order of ours, 17 in the generator, and up to four ticks of the window; OTHERS covers those of small books.
    private static final long OUR_BYTES_PER_ORDER = 370;
    // Observed: 92 to 97, and 17 in the generator; the rest prevents permanent collection.
    private static final long THEIR_BYTES_PER_ORDER = 200;
    // It keeps some 20 bytes of each command for good: 33 rounds of up to a million commands.
    private static final long THEIR_KEPT_BYTES = 1024 * MIB;
    private static final long NEW_BYTES = 64 * MIB;
    private static final long LEAST_BYTES = 512 * MIB;

    private final String label;
    final boolean isOurs;

    DepthContender(final String label, final boolean isOurs)
    {
        this.label = label;
        this.isOurs = isOurs;
    }

    /**
     * The contenders of a size.
     *
     * @param size how large the book is.
     * @return the reference first.
     */
    static List<DepthContender> of(final DepthCase size)
    {
        final List<DepthContender> all = new ArrayList<>(List.of(MILLRACE, HUGE));
        if (size.hasFarLine())
        {
            all.add(FAR);
        }
        if (BookContender.hasRival())
        {
            all.add(EXCHANGE_CORE);
        }
        return all;
    }

    /** A contender whose book is not open yet. */
    BookContender newBook(final CommandColumns commands)
    {
        return BookContender.closed(isOurs ? BookContender.MILLRACE : BookContender.EXCHANGE_CORE, commands);
    }

    long heapBytes(final DepthCase size)
    {
        return Math.max(LEAST_BYTES,
            OTHERS_BYTES + (isOurs ? OUR_BYTES_PER_ORDER * size.orders() :
                THEIR_KEPT_BYTES + THEIR_BYTES_PER_ORDER * size.orders()));
    }

    /** Its additional JVM flags. */
    List<String> flags(final DepthCase size)
    {
        final long heapMib = heapBytes(size) / MIB + 1;
        final List<String> flags = new ArrayList<>(
            List.of("-Xms" + heapMib + "m", "-Xmx" + heapMib + "m", "-Xmn" + NEW_BYTES / MIB + "m", COMPACT));
        if (this == HUGE)
        {
            flags.add(HugePages.FLAG);
        }
        return flags;
    }

    @Override
    public String toString()
    {
        return label;
    }
}
