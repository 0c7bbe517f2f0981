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
final class ContendersTest
{
    /** More than two laps of a ring. */
    private static final int EVENTS = 10_000;

    static Stream<String> oneThread()
    {
        return Stream.concat(ContenderNames.of(OneThreadPath.class), ContenderNames.of(SpscPushPop.class)).distinct();
    }

    static Stream<String> twoThreads()
    {
        return Stream.concat(ContenderNames.of(PipelineThroughput.class), ContenderNames.of(Spsc.class)).distinct();
    }

    static Stream<String> layouts()
    {
        return ContenderNames.of(EventLayout.class);
    }

    @ParameterizedTest
    @MethodSource("oneThread")
    void shouldBringEveryEventThroughOnOneThread(final String contender) throws Exception
    {
        final Contender path = Contenders.of(contender, 6, EVENTS);
        path.roundTrips(0, EVENTS);
        path.check.verify(EVENTS);
        path.verifyBalance();
    }

    @ParameterizedTest
    @MethodSource("twoThreads")
    void shouldBringEveryEventInOrderToAnotherThread(final String contender) throws Exception
    {
        transfer(Contenders.of(contender, 4, EVENTS), false);
    }

    @ParameterizedTest
    @MethodSource("twoThreads")
    void shouldStartAndEndAThreadForEachBatch(final String contender) throws Exception
    {
        transfer(Contenders.of(contender, 1, EVENTS), true);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldHaveEventsOfTheSizeThatTheyAreNamedAfter(final String layout) throws Exception
    {
        transfer(Contenders.ofLayout(layout, EVENTS), false);
    }

    private static void transfer(final Contender path, final boolean startsPerBatch) throws Exception
    {
        path.yieldWhenIdle();
        final TwoThreads threads = new TwoThreads(path, startsPerBatch);
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
        final Contender path = new Contender(new Check(EVENTS, 1))
        {
            @Override
            public boolean offer(final long id)
            {
                return id < CAPACITY;
            }

            @Override
            int poll()
            {
                throw new IllegalArgumentException("the consumer's own fault");
            }
        };
        path.yieldWhenIdle();
        final TwoThreads threads = new TwoThreads(path, false);
        final IllegalStateException failed =
            assertThrows(IllegalStateException.class, () -> threads.transfer(EVENTS));
        assertTrue(failed.getCause().getMessage().contains("own fault"), failed.toString());
    }
}
