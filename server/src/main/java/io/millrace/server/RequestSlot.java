package io.millrace.server;

import io.millrace.pool.BasePoolAware;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;

/**
 * One slot of {@link Requests}. Its state word has the correlation of the current request and what has become of it, so
 * a change for an earlier request of the slot fails.
 * <pre>
 *   WAITING --answerTo--&gt; ANSWERING --send--&gt; ANSWERED --close--&gt; OVER       (blocking)
 *      |                      |  \---send--&gt; ENDING -------------&gt; OVER       (callback, future)
 *      | timeout, close       | timeout, close
 *      +--&gt; ENDING --&gt; OVER   +--&gt; ORPHANED --send--&gt; OVER, the answer is late
 * </pre>
 * The thread that makes a change to OVER releases the slot.
 */
final class RequestSlot<A> extends BasePoolAware
{
    static final int OVER = 0;
    static final int WAITING = 1;
    static final int ANSWERING = 2;
    static final int ANSWERED = 3;
    static final int ENDING = 4;
    static final int ORPHANED = 5;

    private static final int KIND_BITS = 3;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;
    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(RequestSlot.class, "state", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    final int index;
    /** Null after it was given to a future. */
    A answer;
    AnswerHandler<? super A> handler;
    CompletableFuture<? super A> future;
    /** Read by any thread for a correlation that it then changes by compare and set. */
    volatile long deadlineNs;
    private long state;

    RequestSlot(final int index, final A answer)
    {
        this.index = index;
        this.answer = answer;
    }

    private static long word(final long correlation, final int kind)
    {
        return correlation << KIND_BITS | kind;
    }

    /** Release: pairs with the compare and set of the thread that ends or answers the request. */
    void open(final long correlation)
    {
        STATE.setRelease(this, word(correlation, WAITING));
    }

    /** Compare and set; also a release of the answer for {@link #isAnswered}; acquires the other side's stores. */
    boolean change(final long correlation, final int from, final int to)
    {
        return STATE.compareAndSet(this, word(correlation, from), word(correlation, to));
    }

    /** Acquire: pairs with {@link #change} to ANSWERED. */
    boolean isAnswered(final long correlation)
    {
        return (long)STATE.getAcquire(this) == word(correlation, ANSWERED);
    }

    /** False for {@link Requests#NONE}: that is what a slot without a request has. */
    boolean isOpen(final long correlation)
    {
        return correlation != Requests.NONE && correlation == openCorrelation() || isAnswered(correlation);
    }

    /** The correlation of a request that is neither over nor answered; otherwise {@link Requests#NONE}. */
    long openCorrelation()
    {
        final long word = (long)STATE.getAcquire(this);
        final int kind = (int)word & KIND_MASK;
        return kind == WAITING || kind == ANSWERING ? word >> KIND_BITS : Requests.NONE;
    }
}
