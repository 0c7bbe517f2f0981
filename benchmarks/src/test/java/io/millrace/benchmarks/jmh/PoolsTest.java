package io.millrace.benchmarks.jmh;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

@ExtendWith(NoPinning.class)
@Timeout(60)
final class PoolsTest
{
    /** Several laps of a pool. */
    private static final int EVENTS = 10_000;

    static Stream<String> onOneThread()
    {
        return ContenderNames.of(PoolCycle.class);
    }

    static Stream<String> betweenThreads()
    {
        return ContenderNames.of(PoolQueue.class);
    }

    @ParameterizedTest
    @MethodSource("onOneThread")
    void shouldAcquireAndRelease(final String contender)
    {
        final Pools pool = Pools.of(contender);
        for (int i = 0; i < EVENTS; i++)
        {
            final PooledEvent event = pool.take();
            event.fill(i);
            assertEquals(i, event.id(0));
            pool.give(event);
        }
        pool.verifyBalance();
    }

    @ParameterizedTest
    @MethodSource("betweenThreads")
    void shouldPassEventsRoundBetweenThreads(final String contender) throws InterruptedException
    {
        for (final int[] shape : new int[][]{{1, 1}, {1, 2}, {2, 1}})
        {
            final PoolRelay relay = new PoolRelay(contender, shape[0], shape[1], EVENTS);
            relay.yieldWhenIdle();
            relay.run();
            relay.run();
            relay.close();
        }
    }
}
