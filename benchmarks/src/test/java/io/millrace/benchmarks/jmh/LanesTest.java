package io.millrace.benchmarks.jmh;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@ExtendWith(NoPinning.class)
@Timeout(60)
final class LanesTest
{
    /** More than two laps of a ring. */
    private static final int EVENTS = 10_000;

    static Stream<String> oneThread()
    {
        return Stream.concat(Contenders.of(OneThreadPath.class), Contenders.of(SpscPushPop.class)).distinct();
    }

    static Stream<String> twoThreads()
    {
        return Stream.concat(Contenders.of(PipelineThroughput.class), Contenders.of(Spsc.class)).distinct();
    }

    static Stream<String> layouts()
    {
        return Contenders.of(EventLayout.class);
    }

    @ParameterizedTest
    @MethodSource("oneThread")
    void shouldBringEveryEventThroughOnOneThread(final String contender) throws Exception
    {
        final Lane lane = Lanes.of(contender, 6, EVENTS);
        lane.roundTrips(0, EVENTS);
        lane.check.verify(EVENTS);
        lane.verifyBalance();
    }

    @ParameterizedTest
    @MethodSource("twoThreads")
    void shouldBringEveryEventInOrderToAnotherThread(final String contender) throws Exception
    {
        transfer(Lanes.of(contender, 4, EVENTS), false);
    }

    @ParameterizedTest
    @MethodSource("twoThreads")
    void shouldStartAndEndAThreadForEachBatch(final String contender) throws Exception
    {
        transfer(Lanes.of(contender, 1, EVENTS), true);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldHaveEventsOfTheSizeThatTheyAreNamedAfter(final String layout) throws Exception
    {
        transfer(Lanes.ofLayout(layout, EVENTS), false);
    }

    private static void transfer(final Lane lane, final boolean startsPerBatch) throws Exception
    {
        lane.yieldWhenIdle();
        final TwoThreads threads = new TwoThreads(lane, startsPerBatch);
        threads.transfer(EVENTS);
        threads.transfer(EVENTS);
        threads.close();
    }

    @Test
    void shouldRefuseASizeThatIsNotTheObjects()
    {
        final IllegalStateException wrong =
            assertThrows(IllegalStateException.class, () -> Sizes.checked(48, PooledEvent.ofSize(40)));
        assertTrue(wrong.getMessage().contains("takes 40 bytes on this JVM, not 48"), wrong.getMessage());
    }

    @Test
    void shouldNoticeALostARepeatedAndAChangedEvent()
    {
        final Check lost = new Check(2, 1);
        lost.accept(0, 0);
        lost.accept(2, 2);
        assertThrows(IllegalStateException.class, () -> lost.verify(3));

        final Check repeated = new Check(2, 1);
        repeated.accept(0, 0);
        repeated.accept(0, 0);
        assertThrows(IllegalStateException.class, () -> repeated.verify(2));

        final Check changed = new Check(2, 1);
        changed.accept(0, 0);
        changed.accept(1, 2);
        assertThrows(IllegalStateException.class, () -> changed.verify(2));
    }

    @Test
    void shouldEndTheTransferWhenTheConsumerFails()
    {
        final Lane lane = new Lane(new Check(EVENTS, 1))
        {
            @Override
            boolean offer(final long id)
            {
                return id < CAPACITY;
            }

            @Override
            int poll()
            {
                throw new IllegalArgumentException("the consumer's own fault");
            }
        };
        lane.yieldWhenIdle();
        final TwoThreads threads = new TwoThreads(lane, false);
        final IllegalStateException failed =
            assertThrows(IllegalStateException.class, () -> threads.transfer(EVENTS));
        assertTrue(failed.getCause().getMessage().contains("own fault"), failed.toString());
    }
}
