package io.millrace.exchange.itch;

import com.paritytrading.juncture.nasdaq.itch50.ITCH50;
import com.paritytrading.juncture.nasdaq.itch50.ITCH50Parser;

import java.lang.reflect.Proxy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The books of a client that knows nothing of ours: Juncture reads the messages, maps keep the orders. */
public final class JunctureBooks
{
    final Map<Integer, String> stocks = new TreeMap<>();
    final Map<Integer, Character> states = new HashMap<>();
    /** Shares by stock. */
    public final Map<Integer, Long> traded = new HashMap<>();
    private final Set<Long> matches = new HashSet<>();
    public final StringBuilder events = new StringBuilder();
    /** By reference, so also by time. */
    private final TreeMap<Long, Order> orders = new TreeMap<>();
    private final Map<Integer, Long> newest = new HashMap<>();
    private final ITCH50Parser parser = new ITCH50Parser((com.paritytrading.juncture.nasdaq.itch50.ITCH50Listener)
        Proxy.newProxyInstance(JunctureBooks.class.getClassLoader(),
            new Class<?>[] {com.paritytrading.juncture.nasdaq.itch50.ITCH50Listener.class}, (proxy, method, message) ->
            {
                onMessage(message[0]);
                return null;
            }));

    /** A resting order. */
    private static final class Order
    {
        private int locate;
        private long price;
        private long shares;
        private char side;
    }

    public void read(final ByteBuffer message) throws IOException
    {
        parser.message(message);
        assertEquals(0, message.remaining());
    }

    private void onMessage(final Object message)
    {
        if (message instanceof ITCH50.AddOrder m)
        {
            final Order order = new Order();
            order.locate = m.stockLocate;
            order.price = m.price;
            order.shares = m.shares;
            order.side = (char)m.buySellIndicator;
            assertTrue(order.shares > 0, "shares");
            assertTrue(order.side == 'B' || order.side == 'S', "side");
            assertEquals(stocks.get(m.stockLocate), text(m.stock));
            assertNull(orders.put(m.orderReferenceNumber, order), "reference used twice");
            final Long last = newest.put(m.stockLocate, m.orderReferenceNumber);
            assertTrue(last == null || last < m.orderReferenceNumber, "references rise");
        }
        else if (message instanceof ITCH50.OrderCancel m)
        {
            final Order order = orders.get(m.orderReferenceNumber);
            assertEquals(order.locate, m.stockLocate);
            order.shares -= m.canceledShares;
            assertTrue(order.shares > 0 && m.canceledShares > 0, "nothing is left of an order that is not deleted");
        }
        else if (message instanceof ITCH50.OrderExecuted m)
        {
            final Order order = orders.get(m.orderReferenceNumber);
            assertEquals(order.locate, m.stockLocate);
            order.shares -= m.executedShares;
            assertTrue(order.shares >= 0 && m.executedShares > 0, "executed");
            assertTrue(matches.add(m.matchNumber), "match number used twice");
            traded.merge(m.stockLocate, m.executedShares, Long::sum);
            if (order.shares == 0)
            {
                orders.remove(m.orderReferenceNumber);
            }
        }
        else if (message instanceof ITCH50.OrderDelete m)
        {
            assertNotNull(orders.remove(m.orderReferenceNumber));
        }
        else if (message instanceof ITCH50.StockDirectory m)
        {
            assertNull(stocks.put(m.stockLocate, text(m.stock)));
        }
        else if (message instanceof ITCH50.StockTradingAction m)
        {
            assertEquals(stocks.get(m.stockLocate), text(m.stock));
            states.put(m.stockLocate, (char)m.tradingState);
        }
        else
        {
            events.append((char)((ITCH50.SystemEvent)message).eventCode);
        }
    }

    private static String text(final long stock)
    {
        final StringBuilder text = new StringBuilder();
        for (int shift = 56; shift >= 0; shift -= 8)
        {
            text.append((char)(stock >>> shift & 0xFF));
        }
        return text.toString().stripTrailing();
    }

    /** A side by priority: price and shares of each order. */
    public List<String> side(final int locate, final char side)
    {
        final List<Order> found = new ArrayList<>();
        for (final Order order : orders.values())
        {
            if (order.locate == locate && order.side == side)
            {
                found.add(order);
            }
        }
        final Comparator<Order> byPrice = Comparator.comparingLong(order -> order.price);
        // Stable: at one price the oldest remains first.
        found.sort(side == 'B' ? byPrice.reversed() : byPrice);
        return found.stream().map(order -> order.price + " x " + order.shares).toList();
    }
}
