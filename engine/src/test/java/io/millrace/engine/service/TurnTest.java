package io.millrace.engine.service;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Whose turn it is: each side sees what the other one wrote, and nobody waits for somebody who will never come. */
@Tag("normal")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TurnTest
{
    private final Turn turn = new Turn("shard");
    /** What passes with the turn: plain fields, as an engine's. */
    private long[] state = new long[1];
    private volatile long given;

    private void pass(final int turns) throws InterruptedException
    {
        final Thread shard = new Thread(() ->
        {
            for (int i = 1; i <= turns; i++)
            {
                while (given != i)
                {
                    Thread.yield();
                }
                state = new long[] {state[0] + 1};
                turn.giveBack();
            }
        });
        shard.start();
        for (int i = 1; i <= turns; i++)
        {
            turn.await();
            assertEquals(2L * (i - 1), state[0]);
            state = new long[] {state[0] + 1};
            turn.give();
            given = i;
        }
        turn.await();
        assertEquals(2L * turns, state[0]);
        shard.join();
    }

    @Test
    void shouldShowEachWhatTheOtherWrote() throws InterruptedException
    {
        pass(2_000);
    }

    @Test
    @Tag("stress")
    void shouldShowEachWhatTheOtherWroteAMillionTimes() throws InterruptedException
    {
        pass(1_000_000);
    }

    @Test
    void shouldNotWaitForATurnThatWasNeverGivenOrTakenBack()
    {
        turn.await();
        turn.give();
        assertFalse(turn.isBack());
        turn.takeBack();
        turn.await();
    }

    @Test
    void shouldRefuseToWaitForAShardThatFailed()
    {
        final RuntimeException cause = new IllegalArgumentException("broken");
        turn.give();
        turn.fail(cause);
        assertTrue(turn.isOver());
        final IllegalStateException refused = assertThrows(IllegalStateException.class, turn::await);
        assertEquals("shard 'shard' failed with the engine in its hands: its state is not to be trusted, " +
            "no command is carried out any more", refused.getMessage());
        assertSame(cause, refused.getCause());
        assertThrows(IllegalStateException.class, turn::await, "and every time");
    }

    @Test
    void shouldRefuseToWaitForAShardThatEndedUnlessItGaveTheTurnBack()
    {
        turn.give();
        turn.giveBack();
        turn.end();
        turn.await();
        assertTrue(turn.isOver());
        turn.give();
        assertTrue(assertThrows(IllegalStateException.class, turn::await).getMessage().contains("has ended"));
    }

    @Test
    void shouldLearnOfAnEndWhileItWaits() throws InterruptedException
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        turn.give();
        final Thread risk = new Thread(() -> thrown.set(assertThrows(IllegalStateException.class, turn::await)));
        risk.start();
        turn.end();
        risk.join();
        assertTrue(thrown.get().getMessage().contains("has ended"));
    }

    @Test
    void shouldEndTheWaitOfAnInterruptedThread()
    {
        turn.give();
        Thread.currentThread().interrupt();
        assertTrue(assertThrows(IllegalStateException.class, turn::await).getMessage().contains("interrupted"));
        assertTrue(Thread.interrupted(), "the flag stays");
        turn.giveBack();
        turn.await();
    }

    @Test
    void shouldRefuseBothOnOneThread() throws InterruptedException
    {
        turn.startRisk();
        assertTrue(assertThrows(IllegalStateException.class, turn::startShard).getMessage().contains("inline()"));
        final Turn apart = new Turn("apart");
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread other = new Thread(apart::startShard);
        other.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
        other.start();
        other.join();
        apart.startRisk();
        assertNull(thrown.get());
    }
}
