package io.millrace.benchmarks.jmh.ops;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.function.Supplier;

/**
 * Several operations of one kind, each with a book of its own, that are timed together.
 * <p>
 * JMH reads the clock before and after each invocation when something has to be prepared before it, which costs about
 * 50 ns. So an invocation is as many operations as take some microseconds together, or, of the shortest, as many as
 * there are books which, prepared just before, stay in the second-level cache: what is measured is a warm book and warm
 * code. A single cancel takes so little that eight of them are less than that, and the clock is a sixth of the figure:
 * it is rather too high. Several books also keep an operation from finding everything in the first-level cache because
 * it is the only one.
 */
@State(Scope.Thread)
public abstract class Batch
{
    private final Operation[] operations;

    Batch(final int count, final Supplier<Operation> factory)
    {
        operations = new Operation[count];
        for (int i = 0; i < count; i++)
        {
            operations[i] = factory.get();
        }
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
