package io.millrace.exchange.itch;

import io.millrace.exchange.Listing;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** From the command to the multicast packet nothing is allocated; nor while a client reads a snapshot. */
@Timeout(120)
@Tag("allocation")
class ItchAllocationTest
{
    private static final int COMMANDS = Integer.getInteger("allocation.events", 1_000_000) / 20;

    @Test
    void shouldAllocateNothing() throws Exception
    {
        final RandomCommands random = new RandomCommands(1, ItchRig.GOLD, ItchRig.SILVER, ItchRig.HIDDEN);
        try (ItchRig rig = new ItchRig(matching -> {}))
        {
            Allocations.shouldBeNone(() ->
            {
                for (int i = 0; i < COMMANDS; i += 20)
                {
                    rig.give(random, 20);
                }
            });
            assertTrue(rig.server.counters().value("itch.packets") > COMMANDS / 20);
            assertEquals(List.of(), rig.errors);
        }
    }

    @Test
    void shouldAllocateNothingForTheImageOfASnapshot() throws Exception
    {
        final StockOrders[] stocks = {new StockOrders(new Listing(ItchRig.spec(ItchRig.GOLD), "GOLD"), 1)};
        for (int i = 1; i <= RandomCommands.CAPACITY; i++)
        {
            stocks[0].add(i, i, (byte)(i & 1), i, i);
        }
        assertTrue(stocks[0].isFull());
        final SnapshotImage image = new SnapshotImage(stocks, new ItchWriter(() -> 0), "S");
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 1_000; i++)
            {
                image.write(i);
            }
        });
        assertTrue(image.length() > RandomCommands.CAPACITY * 39);
    }
}
