package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

class GatheringIdleStrategyTest
{
    private static final class Recording implements IdleStrategy
    {
        private final StringBuilder calls = new StringBuilder();

        @Override
        public void idle(final int workCount)
        {
            calls.append(workCount).append(' ');
        }

        @Override
        public void idle()
        {
            calls.append("idle ");
        }

        @Override
        public void reset()
        {
            calls.append("reset ");
        }
    }

    private final Recording rest = new Recording();
    private final GatheringIdleStrategy strategy = new GatheringIdleStrategy(rest, 3);

    @Test
    void shouldSpinOnceItselfAfterSeveralEventsAndThenLeaveItToTheOther()
    {
        strategy.idle(2);
        strategy.idle(0);
        strategy.idle(0);
        strategy.idle(0);
        assertEquals("2 idle idle ", rest.calls.toString());
    }

    @Test
    void shouldNotWaitAfterASingleEvent()
    {
        strategy.idle(1);
        strategy.idle(0);
        assertEquals("1 idle ", rest.calls.toString());
    }

    @Test
    void shouldForgetTheEventsAtAReset()
    {
        strategy.idle(100);
        strategy.reset();
        strategy.idle();
        assertEquals("100 reset idle ", rest.calls.toString());
    }

    @Test
    void shouldSayItsNameAndRefuseImpossibleSpins()
    {
        assertEquals("gather-noop", new GatheringIdleStrategy(NoOpIdleStrategy.INSTANCE).alias());
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new GatheringIdleStrategy(rest, -1)).getMessage();
        assertEquals("spins -1 is not in 0..65536", message);
        assertThrows(NullPointerException.class, () -> new GatheringIdleStrategy(null));
    }
}
