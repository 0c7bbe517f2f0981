package io.millrace.benchmarks.jmh.ops;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.stream.Stream;

/**
 * Several operations of one kind, each with its own book, that are timed together.
 * <p>
 * JMH reads the clock before and after each invocation when something has to be prepared before it, which costs about
 * 50 ns. So an invocation is as many operations as take some microseconds together, or, of the shortest, as many as
 * there are books which, prepared just before, stay in the second-level cache: what is measured is a warm book and warm
 * code. A single cancel takes so little that eight of them are less than that, and the clock is a sixth of the figure:
 * it is rather too high. Several books also keep an operation from finding everything in the first-level cache because
 * it is the only one.
 */
@State(Scope.Thread)
public class Batch
{
    /** The operation, see {@link BookOps#KINDS}. */
    @Param({"insert100", "insert1000", "insert10000", "fullFill1000", "multiLevelSweep", "cancelAll100",
        "cancelAll1000", "cancelAll5000", "cancelBestLevel100", "cancelBestLevel500", "cancelBestLevel1000",
        "cancelMiddleOf1000", "mixed10000", "snapshotTake10000", "snapshotEncode10000", "snapshotDecode10000",
        "snapshotRestore10000", "ringToReport10000", "ringToReport100000", "encodeOrder"})
    public String operation;

    private Operation[] operations;

    /** Make the operations of the benchmark that JMH runs. */
    @Setup(Level.Trial)
    public final void make()
    {
        final BookOps.Kind kind = BookOps.KINDS.get(operation);
        operations = Stream.generate(kind.factory()).limit(kind.count()).toArray(Operation[]::new);
    }

    /** Prepare all. */
    @Setup(Level.Invocation)
    public final void prepare()
    {
        for (final Operation operation : operations)
        {
            operation.prepare();
        }
    }

    /** Check all. */
    @TearDown(Level.Invocation)
    public final void check()
    {
        for (final Operation operation : operations)
        {
            operation.check();
        }
    }

    /** Run all; how many there were. */
    final int run()
    {
        for (final Operation operation : operations)
        {
            operation.run();
        }
        return operations.length;
    }
}
