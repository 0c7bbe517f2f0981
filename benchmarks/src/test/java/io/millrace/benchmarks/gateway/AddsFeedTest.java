package io.millrace.benchmarks.gateway;

import io.millrace.gateway.BboEvent;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AddsFeedTest
{
    @Test
    void shouldHaveTheShareOfAddsAndNeverACrossedBook()
    {
        final AddsFeed feed = new AddsFeed();
        final BboEvent event = new BboEvent();
        for (int i = 1; i <= 60_000; i++)
        {
            assertTrue(feed.next(event));
            assertFalse(event.isCrossed() || event.isLocked());
        }
        assertEquals(0.987, feed.addShare(), 0.0001);
        assertEquals(0, feed.anomalies());
    }
}
