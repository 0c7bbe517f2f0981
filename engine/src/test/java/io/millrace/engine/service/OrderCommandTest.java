package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * What the fillers leave in a command that was used before.
 */
class OrderCommandTest
{
    private final OrderCommand command = new OrderCommand();

    @BeforeEach
    void use()
    {
        command.set((byte)-1, (byte)-2, (byte)-3, -4, -5, -6, -7, -8, -9, -10);
    }

    private static String text(final OrderCommand c)
    {
        return CommandType.name(c.commandType()) + " " + OrderType.name(c.orderType()) + " side " + c.side() + " " +
            c.symbol() + " " + c.orderId() + "/" + c.uid() + " " + c.size() + "@" + c.price() + " reserve " +
            c.reservePrice() + " at " + c.timestampNs();
    }

    @Test
    void shouldKeepEverythingAsADecoderGivesIt()
    {
        assertEquals("command -1 order type -2 side -3 -4 -5/-6 -8@-7 reserve -9 at -10", text(command));
    }

    @Test
    void shouldReserveTheLimitOfABidAndNothingForAnAsk()
    {
        assertEquals("PLACE GTC side 0 7 1/2 4@3 reserve 3 at 0", text(command.limit(7, 1, 2, BID, 3, 4)));
        use();
        assertEquals("PLACE GTC side 1 7 1/2 4@3 reserve 0 at 0", text(command.limit(7, 1, 2, ASK, 3, 4)));
        use();
        assertEquals("PLACE IOC side 0 7 1/2 4@3 reserve 3 at 0", text(command.immediate(7, 1, 2, BID, 3, 4)));
        use();
        assertEquals("PLACE FOK_BUDGET side 0 7 1/2 4@9 reserve 9 at 0",
            text(command.fillOrKillBudget(7, 1, 2, BID, 9, 4)));
        use();
        assertEquals("PLACE MARKET side 0 7 1/2 4@0 reserve 9223372036854775806 at 0",
            text(command.market(7, 1, 2, BID, 4)));
    }

    @Test
    void shouldLeaveNothingOfTheLastUse()
    {
        assertEquals("CANCEL GTC side 0 7 1/2 0@0 reserve 0 at 0", text(command.cancel(7, 1, 2)));
        use();
        assertEquals("REDUCE GTC side 0 7 1/2 3@0 reserve 0 at 0", text(command.reduce(7, 1, 2, 3)));
        use();
        assertEquals("MOVE GTC side 0 7 1/2 0@3 reserve 0 at 0", text(command.move(7, 1, 2, 3)));
    }

    @Test
    void shouldTakeAReservePriceAndATimeAfterAFiller()
    {
        assertEquals("PLACE GTC side 0 7 1/2 4@3 reserve 5 at 6",
            text(command.limit(7, 1, 2, BID, 3, 4).reservePrice(5).timestampNs(6)));
    }
}
