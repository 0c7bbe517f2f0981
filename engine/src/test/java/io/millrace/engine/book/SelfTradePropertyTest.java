package io.millrace.engine.book;

import io.millrace.engine.Execution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** M5: Under each policy that prevents self-trades no user trades with itself, for random orders of all types. */
class SelfTradePropertyTest
{
    private static final int USERS = 3;
    private static final int IDS = 256;

    /** Three users at sixteen prices, and a listener that inspects every trade. */
    private static final class Market implements Execution.Listener
    {
        private final OrderBook book =
            new OrderBook(new SymbolSpec(1, SymbolType.FUTURE, 100, 64).withPrices(100, 115), this);
        private final Random random;
        private final byte policy;
        private long trades;
        private long reductions;
        private long cancels;
        private long now;

        Market(final byte policy, final long seed)
        {
            this.policy = policy;
            random = new Random(seed);
        }

        void give(final int commands)
        {
            for (int i = 0; i < commands; i++)
            {
                final long id = random.nextInt(IDS);
                // An id always has the same user, otherwise most cancels would miss.
                final long uid = id % USERS;
                final byte side = (byte)random.nextInt(2);
                final long price = 100 + random.nextInt(12) + (side == Side.BID ? 0 : 4);
                final int draw = random.nextInt(100);
                if (draw < 70)
                {
                    place(id, uid, side, price);
                }
                else if (draw < 80)
                {
                    book.move(id, uid, price);
                }
                else if (draw < 88)
                {
                    book.replace(id, uid, price, 1 + random.nextInt(20));
                }
                else if (draw < 97)
                {
                    cancels += book.cancel(id, uid) == CommandResult.SUCCESS ? 1 : 0;
                }
                else
                {
                    book.expire(++now);
                }
            }
        }

        private void place(final long id, final long uid, final byte side, final long price)
        {
            final byte type = (byte)random.nextInt(OrderType.GTD + 1);
            final long size = 1 + random.nextInt(12);
            final boolean stop = type == OrderType.STOP || type == OrderType.STOP_LIMIT;
            final long parameter = stop ? 100 + random.nextInt(16) :
                type == OrderType.ICEBERG ? 1 + size / 4 : type == OrderType.GTD ? now + 1 + random.nextInt(20) : 0;
            final boolean budget = type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET && side == Side.BID;
            book.execute(new BookCommand().place(type, side).selfTradePolicy(policy).orderId(id).uid(uid)
                .price(budget ? size * price : price).size(size).parameter(parameter));
        }

        @Override
        public void onExecution(final Execution e)
        {
            trades += e.kind() == Execution.Kind.TRADE ? 1 : 0;
            reductions += e.kind() == Execution.Kind.REDUCE ? 1 : 0;
            assertTrue(e.kind() != Execution.Kind.TRADE || e.makerUid() != e.uid(),
                () -> "order " + e.orderId() + " took from " + e.makerOrderId());
        }
    }

    private static void run(final byte policy, final int commands)
    {
        final long seed = Long.getLong("millrace.seed", 7);
        final Market market = new Market(policy, seed);
        market.give(commands);
        market.book.verify();
        final String what = SelfTradePolicy.name(policy) + ", seed " + seed + ": " + market.trades + " trades, " +
            (market.reductions - market.cancels) + " prevented or expired";
        assertTrue(market.trades > commands / 10, what);
        assertTrue(market.reductions - market.cancels > commands / 20, what);
    }

    @ParameterizedTest
    @ValueSource(bytes = {SelfTradePolicy.CANCEL_NEWEST, SelfTradePolicy.CANCEL_OLDEST, SelfTradePolicy.CANCEL_BOTH,
        SelfTradePolicy.DECREMENT})
    void shouldNeverSelfTradeInAMillionCommands(final byte policy)
    {
        run(policy, 1_000_000);
    }

    @ParameterizedTest
    @Tag("faults")
    @ValueSource(bytes = {SelfTradePolicy.CANCEL_NEWEST, SelfTradePolicy.CANCEL_OLDEST, SelfTradePolicy.CANCEL_BOTH,
        SelfTradePolicy.DECREMENT})
    void shouldNeverSelfTradeInTenMillionCommands(final byte policy)
    {
        run(policy, 10_000_000);
    }
}
