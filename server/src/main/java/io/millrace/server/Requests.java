package io.millrace.server;

import io.millrace.pool.Backoff;
import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.SharedPool;
import org.agrona.LangUtil;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A bounded table of open requests: any thread asks a handler by an event and gets the handler's answer.
 * <pre>
 *  any thread                                          the handler's agent
 *  c = requests.open(timeoutNs)   c in the event       answer = requests.answerTo(c)
 *  source.claim, fill, publish  --------------------&gt;  fill the answer
 *  answer = requests.await(c)    &lt;--------------------  requests.send(c)
 *  requests.close(c)
 * </pre>
 * The number c, the <em>correlation</em>, consists of a slot in the table and the slot's generation. An answer after
 * the timeout finds another generation: it is counted as late and delivered to nobody. There are three ways
 * to wait: {@link #await}, a callback, or a {@link CompletableFuture}.
 * <p>
 * Answers are created in advance. {@code answerTo} and {@code send} allocate nothing, never wait and make no system
 * call; {@code await} polls with back-off. Each request ends in exactly one way, and at rest
 * {@code opened = answered + timedOut + cancelled}.
 *
 * @param <A> type of the answers: a mutable object that the handler fills.
 */
public final class Requests<A>
{
    /** The correlation of no request: a handler sends no answer to it. */
    public static final long NONE = 0;

    /** Greatest number of open requests: 2^20. */
    public static final int MAX_CAPACITY = 1 << 20;

    /** Longest timeout: one hour, in nanoseconds. */
    public static final long MAX_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);

    private final Supplier<? extends A> factory;
    private final RequestSlot<A>[] slots;
    private final int mask;
    private final int shift;
    private final SharedPool<RequestSlot<A>> free;
    /** Counted when {@code open} returns: the request may have ended by then, so it may be behind the others. */
    private final PaddedLong opened = new PaddedLong(0);
    private final PaddedLong answered = new PaddedLong(0);
    private final PaddedLong timedOut = new PaddedLong(0);
    private final PaddedLong cancelled = new PaddedLong(0);
    private final PaddedLong late = new PaddedLong(0);
    private final PaddedLong refused = new PaddedLong(0);
    private volatile boolean closed;

    /**
     * A table without open requests.
     *
     * @param answers  creates one new answer at each call.
     * @param capacity greatest number of open requests, a power of two in 1..{@link #MAX_CAPACITY}.
     * @throws IllegalArgumentException if the capacity is out of range.
     * @throws NullPointerException     if the factory is null or returns null.
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Requests(final Supplier<? extends A> answers, final int capacity)
    {
        factory = Objects.requireNonNull(answers, "answers");
        ObjectPool.checkRingCapacity("capacity", capacity, MAX_CAPACITY);
        mask = capacity - 1;
        shift = Integer.numberOfTrailingZeros(capacity);
        slots = new RequestSlot[capacity];
        final int[] created = {0};
        free = new SharedPool<>("requests", () ->
        {
            final int index = created[0]++;
            slots[index] = new RequestSlot<>(index, newAnswer());
            return slots[index];
        }, capacity, Exhaustion.fail());
    }

    private A newAnswer()
    {
        return Objects.requireNonNull(factory.get(), "the factory returned a null answer");
    }

    /**
     * Open a request whose answer the calling thread will {@linkplain #await(long) await}. Any thread.
     *
     * @param timeoutNs time for the answer, 1 to {@link #MAX_TIMEOUT_NS} in nanoseconds.
     * @return the correlation, greater than 0; {@link #NONE} if the table is full or closed, which is counted.
     * @throws IllegalArgumentException if the timeout is out of range.
     */
    public long open(final long timeoutNs)
    {
        return open(null, null, timeoutNs);
    }

    /**
     * Open a request whose answer goes to a callback. Any thread. Somebody must call {@link #expire()} from time to
     * time, for the requests that nobody answers.
     *
     * @param handler   called once with the answer, or with null.
     * @param timeoutNs time for the answer, 1 to {@link #MAX_TIMEOUT_NS} in nanoseconds.
     * @return the correlation; {@link #NONE} if the table is full or closed: the handler is not called then.
     * @throws IllegalArgumentException if the timeout is out of range.
     */
    public long open(final AnswerHandler<? super A> handler, final long timeoutNs)
    {
        return open(Objects.requireNonNull(handler, "handler"), null, timeoutNs);
    }

    /**
     * Open a request whose answer completes a future. Any thread. The answer belongs to the future: the table creates
     * another one when it uses the slot again. Actions that depend on the future run on the agent's thread, unless they
     * are asynchronous. Somebody must call {@link #expire()} from time to time.
     *
     * @param future    completed with the answer, or by a {@link TimeoutException} or a {@link CancellationException}.
     * @param timeoutNs time for the answer, 1 to {@link #MAX_TIMEOUT_NS} in nanoseconds.
     * @return the correlation; {@link #NONE} if the table is full or closed: the future is not completed then.
     * @throws IllegalArgumentException if the timeout is out of range.
     */
    public long open(final CompletableFuture<? super A> future, final long timeoutNs)
    {
        return open(null, Objects.requireNonNull(future, "future"), timeoutNs);
    }

    private long open(
        final AnswerHandler<? super A> handler, final CompletableFuture<? super A> future, final long timeoutNs)
    {
        if (timeoutNs < 1 || timeoutNs > MAX_TIMEOUT_NS)
        {
            throw new IllegalArgumentException("timeoutNs " + timeoutNs + " is not in 1.." + MAX_TIMEOUT_NS);
        }
        RequestSlot<A> slot = closed ? null : free.acquire();
        if (slot == null && !closed && expire() > 0)
        {
            slot = free.acquire();
        }
        if (slot == null)
        {
            refused.getAndAdd(1);
            return NONE;
        }
        if (slot.answer == null)
        {
            createAnswer(slot);
        }
        slot.handler = handler;
        slot.future = future;
        slot.deadlineNs = System.nanoTime() + timeoutNs;
        final long correlation = slot.stamp() << shift | slot.index;
        slot.open(correlation);
        // Pairs with the fence in closeAll(): this thread sees the close, or the closing thread sees this request.
        VarHandle.fullFence();
        if (closed && slot.change(correlation, RequestSlot.WAITING, RequestSlot.OVER))
        {
            // The table was closed meanwhile, and has not ended this request.
            slot.release();
            refused.getAndAdd(1);
            return NONE;
        }
        opened.getAndAdd(1);
        return correlation;
    }

    /** If the factory throws, the slot is free again. */
    private void createAnswer(final RequestSlot<A> slot)
    {
        try
        {
            slot.answer = newAnswer();
        }
        finally
        {
            if (slot.answer == null)
            {
                slot.release();
            }
        }
    }

    /**
     * Wait for the answer: spin, yield, park up to 100 microseconds. Any thread except the agent that answers. Call
     * {@link #close(long)} afterwards.
     *
     * @param correlation from {@link #open(long)}.
     * @return the answer, valid until {@link #close(long)}. Null if it did not come in time, if the thread is
     * interrupted (its flag stays set), if the request is over already, or at once for {@link #NONE}; a later answer
     * counts as late.
     */
    public A await(final long correlation)
    {
        final RequestSlot<A> slot = slotOf(correlation);
        int round = 0;
        while (true)
        {
            if (slot.isAnswered(correlation))
            {
                return slot.answer;
            }
            if (!slot.isOpen(correlation))
            {
                return null;
            }
            if (System.nanoTime() - slot.deadlineNs >= 0 || Thread.currentThread().isInterrupted())
            {
                if (end(slot, correlation, timedOut))
                {
                    return null;
                }
            }
            else
            {
                round = Backoff.idle(round);
            }
        }
    }

    /**
     * The answer, if it is there. Never waits. Any thread; in INVOKER mode, the invoking one.
     *
     * @param correlation from {@link #open(long)}.
     * @return the answer, valid until {@link #close(long)}; null if it is not there.
     */
    public A poll(final long correlation)
    {
        final RequestSlot<A> slot = slotOf(correlation);
        return slot.isAnswered(correlation) ? slot.answer : null;
    }

    /**
     * End a request, for example after the answer was read, or if its event could not be published. Any thread; a
     * second call has no effect.
     *
     * @param correlation from {@code open}; {@link #NONE} has no effect.
     */
    public void close(final long correlation)
    {
        final RequestSlot<A> slot = slotOf(correlation);
        boolean ended = false;
        // Again if the answer was sent between the two attempts.
        while (!ended && slot.isOpen(correlation))
        {
            if (slot.change(correlation, RequestSlot.ANSWERED, RequestSlot.OVER))
            {
                slot.release();
                ended = true;
            }
            else
            {
                ended = end(slot, correlation, cancelled);
            }
        }
    }

    /** Ends a request without an answer; false if it is over or was answered meanwhile. */
    private boolean end(final RequestSlot<A> slot, final long correlation, final PaddedLong counter)
    {
        if (slot.change(correlation, RequestSlot.WAITING, RequestSlot.ENDING))
        {
            counter.getAndAdd(1);
            final AnswerHandler<? super A> handler = slot.handler;
            final CompletableFuture<? super A> future = slot.future;
            slot.change(correlation, RequestSlot.ENDING, RequestSlot.OVER);
            slot.release();
            notifyWithout(handler, future, correlation, counter == timedOut);
            return true;
        }
        // The handler is filling the answer. It gives the slot back when it sends.
        final AnswerHandler<? super A> handler = slot.handler;
        final CompletableFuture<? super A> future = slot.future;
        if (slot.change(correlation, RequestSlot.ANSWERING, RequestSlot.ORPHANED))
        {
            counter.getAndAdd(1);
            notifyWithout(handler, future, correlation, counter == timedOut);
            return true;
        }
        return false;
    }

    private void notifyWithout(
        final AnswerHandler<? super A> handler,
        final CompletableFuture<? super A> future,
        final long correlation,
        final boolean isTimeout)
    {
        if (handler != null)
        {
            handler.onAnswer(correlation, null);
        }
        if (future != null)
        {
            final String what = "no answer to request " + correlation;
            future.completeExceptionally(isTimeout ? new TimeoutException(what) : new CancellationException(what));
        }
    }

    /**
     * The answer to fill. Called by the handler, on its agent's thread, once for each request: if several events fill
     * one answer, take it at the first one, keep it, and {@link #send} it at the last one. Each call that returns an
     * answer needs one {@link #send}.
     *
     * @param correlation of the event.
     * @return the answer, with the values of its last use. Null if nobody waits any more (counted as late), if it was
     * taken already, sent or not (also late), or for {@link #NONE}.
     */
    public A answerTo(final long correlation)
    {
        if (correlation == NONE)
        {
            return null;
        }
        final RequestSlot<A> slot = slotOf(correlation);
        if (slot.change(correlation, RequestSlot.WAITING, RequestSlot.ANSWERING))
        {
            return slot.answer;
        }
        late.getAndAdd(1);
        return null;
    }

    /**
     * Send the filled answer. Called by the handler; it must not touch the answer afterwards.
     *
     * @param correlation of the event.
     * @return true if the answer was delivered; false if the requester gave up since {@link #answerTo}, which is
     * counted as late.
     */
    public boolean send(final long correlation)
    {
        final RequestSlot<A> slot = slotOf(correlation);
        final AnswerHandler<? super A> handler = slot.handler;
        final CompletableFuture<? super A> future = slot.future;
        final A answer = slot.answer;
        if (handler == null && future == null)
        {
            if (slot.change(correlation, RequestSlot.ANSWERING, RequestSlot.ANSWERED))
            {
                answered.getAndAdd(1);
                return true;
            }
            return sendLate(slot, correlation);
        }
        if (!slot.change(correlation, RequestSlot.ANSWERING, RequestSlot.ENDING))
        {
            return sendLate(slot, correlation);
        }
        // The requester may have completed or cancelled the future: then nobody gets the answer.
        final boolean isTaken = future == null || !future.isDone();
        // Before the answer: who has it finds it counted. A cancel that overlaps this call comes too late.
        (isTaken ? answered : cancelled).getAndAdd(1);
        try
        {
            if (handler != null)
            {
                handler.onAnswer(correlation, answer);
            }
            else if (isTaken)
            {
                slot.answer = null;
                future.complete(answer);
            }
            else
            {
                late.getAndAdd(1);
            }
        }
        finally
        {
            slot.change(correlation, RequestSlot.ENDING, RequestSlot.OVER);
            slot.release();
        }
        return isTaken;
    }

    private boolean sendLate(final RequestSlot<A> slot, final long correlation)
    {
        if (!slot.change(correlation, RequestSlot.ORPHANED, RequestSlot.OVER))
        {
            throw new IllegalArgumentException(
                "no answer to request " + correlation + " was begun: call answerTo() before each send()");
        }
        slot.release();
        late.getAndAdd(1);
        return false;
    }

    /**
     * End the requests whose time is over. Any thread; reads every slot. {@code open} calls it when the table is full.
     * A handler that throws does not keep the other requests open: when all are ended, this method throws the first
     * exception, with the others as suppressed ones.
     *
     * @return number of ended requests.
     */
    public int expire()
    {
        return endEach(timedOut, false);
    }

    /**
     * Refuse further requests and cancel the open ones, for example when the server has closed. Any thread. It
     * treats a handler that throws as {@link #expire()} does.
     */
    public void closeAll()
    {
        closed = true;
        // Pairs with the fence in open().
        VarHandle.fullFence();
        endEach(cancelled, true);
    }

    /** Ends all open requests, or those whose time is over; returns their number. */
    private int endEach(final PaddedLong counter, final boolean all)
    {
        final long nowNs = System.nanoTime();
        int ended = 0;
        Throwable failure = null;
        for (final RequestSlot<A> slot : slots)
        {
            final long correlation = slot.openCorrelation();
            // A slot that is used again meanwhile has another correlation, and nothing is ended.
            if (correlation != NONE && (all || nowNs - slot.deadlineNs >= 0))
            {
                try
                {
                    ended += end(slot, correlation, counter) ? 1 : 0;
                }
                catch (final Throwable ex)
                {
                    failure = Failures.first(failure, ex);
                }
            }
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
        return ended;
    }

    private RequestSlot<A> slotOf(final long correlation)
    {
        return slots[(int)correlation & mask];
    }

    /**
     * Add the counters of this table to a server's.
     *
     * @param counters of the server.
     * @param name     of the table; the counter names begin with it and a dot.
     */
    public void addCounters(final Counters counters, final String name)
    {
        counters.add(name + ".opened", "requests opened", this::opened);
        counters.add(name + ".answered", "requests answered in time", this::answered);
        counters.add(name + ".timedOut", "requests that nobody answered in time", this::timedOut);
        counters.add(name + ".cancelled", "requests closed before their answer", this::cancelled);
        counters.add(name + ".late", "answers to requests that were over: delivered to nobody", this::late);
        counters.add(name + ".refused", "requests refused because the table was full or closed", this::refused);
    }

    /** @return number of requests opened. Any thread. */
    public long opened()
    {
        return opened.getOpaque();
    }

    /** @return number of requests answered in time. Any thread. */
    public long answered()
    {
        return answered.getOpaque();
    }

    /** @return number of requests that ended by their timeout or an interrupt. Any thread. */
    public long timedOut()
    {
        return timedOut.getOpaque();
    }

    /** @return number of requests that were closed before their answer. Any thread. */
    public long cancelled()
    {
        return cancelled.getOpaque();
    }

    /** @return number of answers that came after the end of their request, or for a second time. Any thread. */
    public long late()
    {
        return late.getOpaque();
    }

    /** @return number of requests refused because the table was full or closed. Any thread. */
    public long refused()
    {
        return refused.getOpaque();
    }

    /** @return number of slots in use: open requests, and answers that were not closed. Any thread. */
    public int inUse()
    {
        return slots.length - free.available();
    }
}
