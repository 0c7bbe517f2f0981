package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Fields of a reused command after each filler.
 */
class OrderCommandTest
{
    private final OrderCommand command = new OrderCommand();

    @BeforeEach
    void use()
    {
        command.addSymbol(SymbolSpec.spot(7), null);
        command.set((byte)-1, (byte)-2, (byte)-3, (byte)-4, -5, -6, -7, -8, -9, -10, -11, -12);
    }

    private static String text(final OrderCommand c)
    {
        return CommandType.name(c.commandType()) + " " + OrderType.name(c.orderType()) + " side " + c.side() + " " +
            c.symbol() + " " + c.orderId() + "/" + c.uid() + " " + c.size() + "@" + c.price() + " reserve " +
            c.reservePrice() + (c.selfTradePolicy() == 0 ? "" : " policy " + c.selfTradePolicy()) +
            (c.parameter() == 0 ? "" : " parameter " + c.parameter()) + (c.spec() == null ? "" : " " + c.spec()) +
            (c.terms() == null ? "" : " " + c.terms()) + " at " + c.timestampNs();
    }

    @Test
    void shouldKeepAllFieldsOfADecoder()
    {
        assertEquals("command -1 order type -2 side -3 -5 -6/-7 -9@-8 reserve -10 policy -4 parameter -11 at -12",
            text(command));
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
    void shouldSetTheFieldsOfTheNewerOrderTypes()
    {
        assertEquals("PLACE FOK side 0 7 1/2 4@3 reserve 3 at 0", text(command.fillOrKill(7, 1, 2, BID, 3, 4)));
        use();
        assertEquals("PLACE POST_ONLY side 1 7 1/2 4@3 reserve 0 at 0", text(command.postOnly(7, 1, 2, ASK, 3, 4)));
        use();
        assertEquals("PLACE IOC_BUDGET side 0 7 1/2 4@9 reserve 9 at 0",
            text(command.immediateBudget(7, 1, 2, BID, 9, 4)));
        use();
        assertEquals("PLACE STOP side 0 7 1/2 4@0 reserve 9223372036854775806 parameter 5 at 0",
            text(command.stop(7, 1, 2, BID, 5, 4)));
        use();
        assertEquals("PLACE STOP side 1 7 1/2 4@0 reserve 0 parameter 5 at 0", text(command.stop(7, 1, 2, ASK, 5, 4)));
        use();
        assertEquals("PLACE STOP_LIMIT side 0 7 1/2 4@3 reserve 3 parameter 5 at 0",
            text(command.stopLimit(7, 1, 2, BID, 5, 3, 4)));
        use();
        assertEquals("PLACE ICEBERG side 0 7 1/2 4@3 reserve 3 parameter 2 at 0",
            text(command.iceberg(7, 1, 2, BID, 3, 4, 2)));
        use();
        assertEquals("PLACE GTD side 0 7 1/2 4@3 reserve 3 parameter 9 at 0",
            text(command.goodTillDate(7, 1, 2, BID, 3, 4, 9)));
        assertEquals("PLACE GTD side 0 7 1/2 4@3 reserve 3 policy 4 parameter 9 at 0",
            text(command.selfTradePolicy(SelfTradePolicy.DECREMENT)));
    }

    @Test
    void shouldSetTheFieldsOfUserSymbolAndReportCommands()
    {
        assertEquals("ADD_USER GTC side 0 0 0/2 0@0 reserve 0 at 0", text(command.addUser(2)));
        use();
        assertEquals("BALANCE_ADJUSTMENT GTC side 0 840 6/2 -5@0 reserve 0 at 0",
            text(command.adjustBalance(2, 840, -5, 6)));
        use();
        assertEquals("SUSPEND_USER GTC side 0 0 0/2 0@0 reserve 0 at 0", text(command.suspendUser(2)));
        use();
        assertEquals("RESUME_USER GTC side 0 0 0/2 0@0 reserve 0 at 0", text(command.resumeUser(2)));
        use();
        assertEquals("HALT_SYMBOL GTC side 0 7 0/0 0@0 reserve 0 at 0", text(command.haltSymbol(7)));
        use();
        assertEquals("RESUME_SYMBOL GTC side 0 7 0/0 0@0 reserve 0 at 0", text(command.resumeSymbol(7)));
        use();
        assertEquals("REMOVE_SYMBOL GTC side 0 7 0/0 0@0 reserve 0 at 0", text(command.removeSymbol(7)));
        use();
        assertEquals("ORDER_BOOK_REQUEST GTC side 0 7 0/0 5@-1 reserve 0 at 0", text(command.orderBook(7, 5)));
        use();
        final ExecutionEvent result = new ExecutionEvent();
        result.result(1, 2, CommandResult.SUCCESS, 3, 0);
        result.more(ASK, 9, 4);
        assertEquals("ORDER_BOOK_REQUEST GTC side 1 7 4/0 5@9 reserve 0 at 0",
            text(command.orderBook(7, 5).continueFrom(result)));
        use();
        assertEquals("USER_REPORT GTC side 0 0 0/2 0@0 reserve 0 at 0", text(command.userReport(2)));
        use();
        assertEquals("TOTALS_REPORT GTC side 0 0 0/0 0@0 reserve 0 at 0", text(command.totalsReport()));
        use();
        assertEquals("STATE_HASH GTC side 0 0 0/0 0@0 reserve 0 at 0", text(command.stateHash()));
        use();
        assertEquals("TICK GTC side 0 0 0/0 0@0 reserve 0 at 9", text(command.tick(9)));
        use();
        assertEquals("NOP GTC side 0 0 0/0 0@0 reserve 0 at 0", text(command.nop()));
        use();
        assertEquals("RESET GTC side 0 0 0/0 0@0 reserve 0 at 0", text(command.reset()));
    }

    @Test
    void shouldCarryASymbolInItsOwnCommandOnly()
    {
        final SymbolSpec spec = SymbolSpec.spot(7);
        final SymbolTerms terms = SymbolTerms.spot(1, 2, 3, 4);
        assertEquals("ADD_SYMBOL GTC side 0 7 0/0 0@0 reserve 0 " + spec + " " + terms + " at 0",
            text(command.addSymbol(spec, terms)));
        assertEquals("NOP GTC side 0 0 0/0 0@0 reserve 0 at 0", text(command.nop()));
        assertEquals("ADD_SYMBOL GTC side 0 7 0/0 0@0 reserve 0 " + spec + " at 0",
            text(command.addSymbol(spec, null)));
    }

    @Test
    void shouldClearThePreviousFields()
    {
        assertEquals("CANCEL GTC side 0 7 1/2 0@0 reserve 0 at 0", text(command.cancel(7, 1, 2)));
        use();
        assertEquals("REDUCE GTC side 0 7 1/2 3@0 reserve 0 at 0", text(command.reduce(7, 1, 2, 3)));
        use();
        assertEquals("MOVE GTC side 0 7 1/2 0@3 reserve 0 at 0", text(command.move(7, 1, 2, 3)));
        use();
        assertEquals("REPLACE GTC side 0 7 1/2 4@3 reserve 0 at 0", text(command.replace(7, 1, 2, 3, 4)));
    }

    @Test
    void shouldSetAReservePriceAndATimeAfterAFiller()
    {
        assertEquals("PLACE GTC side 0 7 1/2 4@3 reserve 5 at 6",
            text(command.limit(7, 1, 2, BID, 3, 4).reservePrice(5).timestampNs(6)));
    }
}
