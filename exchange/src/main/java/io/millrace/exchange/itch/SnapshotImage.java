package io.millrace.exchange.itch;

import io.millrace.exchange.soup.SoupDescriptor;
import io.millrace.exchange.soup.SoupEncoder;
import io.millrace.gateway.itch.ItchDescriptor;

import java.nio.ByteBuffer;

/**
 * All bytes that a client of the snapshot server gets, the same for each: login accepted, the directory and the trading
 * action of each stock, its orders from the oldest to the newest, the end of the snapshot, the end of the session. Each
 * ITCH message is a packet of sequenced data. Its memory is for full books. One thread.
 */
final class SnapshotImage
{
    /** End of snapshot: type G, then the sequence of the first message that the snapshot does not contain. */
    static final int END_LENGTH = 1 + SoupDescriptor.SEQUENCE_LENGTH;
    static final byte END = 'G';

    private static final int STOCK_LENGTH = 2 * SoupDescriptor.HEADER_LENGTH +
        ItchDescriptor.length(ItchDescriptor.STOCK_DIRECTORY) + ItchDescriptor.length((byte)'H');
    private static final int ORDER_LENGTH = SoupDescriptor.HEADER_LENGTH + ItchDescriptor.ADD_LENGTH;
    private static final int ENDS_LENGTH = SoupDescriptor.LOGIN_ACCEPTED_LENGTH +
        SoupDescriptor.HEADER_LENGTH + END_LENGTH + SoupDescriptor.HEADER_LENGTH;

    private final StockOrders[] stocks;
    private final ItchWriter writer;
    private final byte[] session;
    private final ByteBuffer buffer;
    private int length;

    SnapshotImage(final StockOrders[] stocks, final ItchWriter writer, final String session)
    {
        this.stocks = stocks;
        this.writer = writer;
        this.session = SoupEncoder.padLeft(session, SoupDescriptor.SESSION_LENGTH);
        long orders = 0;
        for (final StockOrders stock : stocks)
        {
            orders += stock.symbol.spec().orderCapacity();
        }
        // The writer of messages wants space for the longest one.
        final long bytes = ENDS_LENGTH + (long)stocks.length * STOCK_LENGTH + orders * ORDER_LENGTH +
            ItchDescriptor.MAX_LENGTH;
        if (bytes > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("a snapshot of " + orders + " orders takes " + bytes +
                " bytes, not at most " + Integer.MAX_VALUE);
        }
        buffer = ByteBuffer.allocateDirect((int)bytes);
    }

    /** Writes the image of this moment. */
    void write(final long nextSequence)
    {
        int at = SoupEncoder.loginAccepted(buffer, 0, session, 1);
        for (final StockOrders stock : stocks)
        {
            at += data(at, writer.wrap(buffer, at + SoupDescriptor.HEADER_LENGTH).directory(stock));
            at += data(at, writer.wrap(buffer, at + SoupDescriptor.HEADER_LENGTH).tradingAction(stock));
            at = orders(at, stock);
        }
        buffer.put(at + SoupDescriptor.HEADER_LENGTH, END);
        SoupEncoder.sequence(buffer, at + SoupDescriptor.HEADER_LENGTH + 1, nextSequence);
        at += data(at, END_LENGTH);
        length = at + SoupEncoder.empty(buffer, at, SoupDescriptor.END_OF_SESSION);
    }

    private int data(final int at, final int messageLength)
    {
        return SoupEncoder.header(buffer, at, SoupDescriptor.SEQUENCED_DATA, messageLength);
    }

    /** From the newest to the oldest, so from the last place to the first. */
    private int orders(final int at, final StockOrders stock)
    {
        final int end = at + stock.shown() * ORDER_LENGTH;
        int place = end;
        for (int h = stock.newest(); h != StockOrders.NONE; h = stock.older(h))
        {
            if (stock.reference(h) != StockOrders.NOT_SHOWN)
            {
                place -= ORDER_LENGTH;
                // A message may touch the bytes behind it only before they are written: an add writes its own length.
                writer.wrap(buffer, place + SoupDescriptor.HEADER_LENGTH).add(stock, h);
                data(place, ItchDescriptor.ADD_LENGTH);
            }
        }
        return end;
    }

    /** A view of all bytes. Allocates. */
    ByteBuffer view()
    {
        return buffer.duplicate();
    }

    int length()
    {
        return length;
    }
}
