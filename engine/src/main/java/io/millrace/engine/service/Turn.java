package io.millrace.engine.service;

import io.millrace.pool.PaddedLong;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is to touch an engine that a risk stage and a shard share: the engine has one owner at a time, and this
 * is how it passes.
 * <ul>
 * <li>There: the risk stage calls {@link #give()}, then publishes the admitted command. The release store of that
 * publish pairs with the acquire load of the shard's poll, so the shard sees all that the risk stage wrote.</li>
 * <li>Back: {@link #giveBack()} stores the number of turns that are over (release); {@link #await()} loads it (acquire)
 * until it is the number of turns given, so the risk stage sees all that the shard wrote.</li>
 * </ul>
 * Each shard has a turn of its own, so its cell has one writer. The risk stage gives a turn only when none is out.
 */
final class Turn
{
    /** As long as a shard takes that is running: some hundred nanoseconds to a few microseconds. */
    private static final int SPINS = 100;
    private static final int YIELDS = 200;
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final String shard;
    private final PaddedLong returned = new PaddedLong(0);
    /** The risk stage's own. */
    private long given;
    // Written by the shard at most once each, when no further turn will come back.
    private volatile Throwable failure;
    private volatile boolean ended;
    // Written by each stage when it starts.
    private volatile Thread riskThread;
    private volatile Thread shardThread;

    Turn(final String shard)
    {
        this.shard = shard;
    }

    /** The risk stage starts, on its thread. */
    void startRisk()
    {
        riskThread = Thread.currentThread();
        checkApart();
    }

    /** The shard starts, on its thread. */
    void startShard()
    {
        shardThread = Thread.currentThread();
        checkApart();
    }

    /** Whichever starts second sees both. */
    private void checkApart()
    {
        if (riskThread == shardThread)
        {
            throw new IllegalStateException("shard '" + shard + "' is on the agent of the risk stage, which would " +
                "wait for itself: place it on another agent, or make the sharding inline()");
        }
    }

    /** Risk stage: whether the engine may be touched. */
    boolean isBack()
    {
        // Acquire: pairs with the release in giveBack().
        return returned.getAcquire() == given;
    }

    /** Risk stage, before it publishes: from the publish on the engine is the shard's. */
    void give()
    {
        given++;
    }

    /** Risk stage: the shard never saw it. */
    void takeBack()
    {
        given--;
    }

    /** Shard: from here on the engine is the risk stage's. */
    void giveBack()
    {
        // Release: pairs with the acquire in isBack().
        returned.setRelease(returned.getPlain() + 1);
    }

    /** Shard: the engine is half way in a command, nobody is to touch it again. */
    void fail(final Throwable cause)
    {
        failure = cause;
    }

    /** Shard: it takes no further turn. */
    void end()
    {
        ended = true;
    }

    /** Any thread: whether the shard takes no further turn. */
    boolean isOver()
    {
        return ended || failure != null;
    }

    /**
     * Risk stage: wait until the engine may be touched. Spins, yields, then sleeps.
     *
     * @throws IllegalStateException when it never will be, or the thread is interrupted.
     */
    void await()
    {
        if (!isBack())
        {
            awaitSlow();
        }
    }

    private void awaitSlow()
    {
        for (int i = 0; !isBack(); i++)
        {
            // First whether it is over, then whether it came back nevertheless: it may have come back and then ended.
            if (isOver() && !isBack())
            {
                throw new IllegalStateException("shard '" + shard + "' " + (failure == null ? "has ended" : "failed") +
                    " with the engine in its hands: its state is not to be trusted, no command is carried out any more",
                    failure);
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new IllegalStateException("interrupted while shard '" + shard + "' had the engine");
            }
            idle(i);
        }
    }

    private static void idle(final int round)
    {
        if (round < SPINS)
        {
            Thread.onSpinWait();
        }
        else if (round < SPINS + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(Math.min(MAX_PARK_NS, MIN_PARK_NS * (round - SPINS - YIELDS)));
        }
    }
}
