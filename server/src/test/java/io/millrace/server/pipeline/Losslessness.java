package io.millrace.server.pipeline;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Guarantees of a pipeline of limited capacity that displaces nothing. Mixed into the suite of such a pipeline.
 */
interface Losslessness
{
    PolledPipelineSuite suite();

    /** Publish the next event, if there is capacity for it. */
    private boolean tryPublish(final List<Long> accepted)
    {
        final PolledPipelineSuite suite = suite();
        final NumberedEvent event = suite.pool.acquire();
        if (event == null)
        {
            return false;
        }
        final long number = accepted.size();
        final boolean taken = suite.pipeline.offer(event.fill(number));
        if (taken)
        {
            accepted.add(number);
        }
        else
        {
            event.requireWhole(number);
            event.release();
        }
        return taken;
    }

    private int fill(final List<Long> accepted)
    {
        int count = 0;
        while (tryPublish(accepted))
        {
            count++;
        }
        return count;
    }

    @Test
    default void shouldAcceptItsCapacityAndMoreAfterAPoll() throws Exception
    {
        final PolledPipelineSuite suite = suite();
        final RecordingStage stage = suite.stage("stage");
        final List<Long> accepted = new ArrayList<>();
        assertEquals(suite.pipeline.capacity(), fill(accepted));
        for (int i = 0; i < 10; i++)
        {
            assertFalse(tryPublish(accepted));
        }
        for (int polled = 1; polled <= suite.pipeline.capacity(); polled++)
        {
            for (int done = 0; done < polled;)
            {
                // A poll may stop at the last event that it knew of.
                done += stage.poll(polled - done);
            }
            stage.subscription.flush();
            assertEquals(polled, fill(accepted), "capacity after a poll of " + polled);
        }
        stage.drain();
        assertEquals(accepted, stage.numbers);
        assertEquals(0, suite.pipeline.displaced());
    }

    @Test
    default void shouldHaveCapacityAgainAfterAHandlerThrew() throws Exception
    {
        final PolledPipelineSuite suite = suite();
        final RecordingStage stage = suite.stage("stage").failOn(0, new IllegalStateException("planned"));
        final List<Long> accepted = new ArrayList<>();
        fill(accepted);
        assertThrows(IllegalStateException.class, stage::poll);
        stage.subscription.flush();
        assertEquals(1, fill(accepted));
        stage.drain();
        assertEquals(accepted, stage.numbers);
    }
}
