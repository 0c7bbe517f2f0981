package io.millrace.engine.risk;

import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.math.BigInteger.ZERO;

/** Volume, price sum and profit of a position of the {@link ReferenceRisk}, and its value in checks. */
final class ReferencePosition
{
    private static final int MAX_INSPECTED = 64;

    BigInteger volume = ZERO, sum = ZERO, profit = ZERO;

    /** One side of a trade; how many lots it has opened. */
    BigInteger trade(final int sign, final BigInteger price, final BigInteger lots)
    {
        BigInteger opened = lots;
        if (volume.signum() == -sign)
        {
            final BigInteger open = volume.abs();
            opened = lots.subtract(open).max(ZERO);
            if (open.compareTo(lots) > 0)
            {
                sum = sum.subtract(lots.multiply(price));
            }
            else
            {
                profit = profit.add(open.multiply(price).subtract(sum).multiply(BigInteger.valueOf(-sign)));
                sum = ZERO;
            }
        }
        volume = volume.add(lots.multiply(BigInteger.valueOf(sign)));
        sum = sum.add(opened.multiply(price));
        return opened;
    }

    private BigInteger worth(final long price)
    {
        return profit.add(volume.multiply(BigInteger.valueOf(price)))
            .subtract(sum.multiply(BigInteger.valueOf(volume.signum())));
    }

    /** Its value if it were closed at the best price of other users; the cases are counted. */
    BigInteger estimate(
        final long uid,
        final OrderBook book,
        final SymbolTerms terms,
        final long lastPrice,
        final Map<String, Integer> cases)
    {
        final boolean isLong = volume.signum() > 0;
        final List<Long> prices = new ArrayList<>();
        final List<Long> users = new ArrayList<>();
        book.forEachOrder(isLong ? Side.BID : Side.ASK, (id, owner, side, price, size, filled, reserve) ->
        {
            prices.add(price);
            users.add(owner);
        });
        int place = 0;
        while (place < users.size() && users.get(place) == uid)
        {
            place++;
        }
        final String mark = volume.signum() == 0 ? "flat" : place >= MAX_INSPECTED && users.size() > MAX_INSPECTED ?
            "hidden" : place == users.size() ? place == 0 ? "unpriced" : "own orders only" :
            place == 0 ? "priced" : "behind own orders";
        cases.merge(mark, 1, Integer::sum);
        if (mark.equals("flat"))
        {
            return profit;
        }
        if (mark.equals("priced") || mark.equals("behind own orders"))
        {
            return worth(prices.get(place));
        }
        final BigInteger unpriced = worth(lastPrice).min(ZERO)
            .subtract(volume.abs().multiply(BigInteger.valueOf(isLong ? terms.marginBuy() : terms.marginSell())));
        return mark.equals("hidden") ?
            unpriced.min(worth(isLong ? book.spec().minPrice() : book.spec().maxPrice())) : unpriced;
    }
}
