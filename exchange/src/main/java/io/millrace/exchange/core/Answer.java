package io.millrace.exchange.core;

import io.millrace.pool.BasePoolAware;

/**
 * An answer of the exchange to one client: numbered, journaled by its command, and kept for a while. It says nothing
 * about other users, except to a drop copy. Fields by kind:
 * <pre>
 *  kind       orderId  price            size        openSize            others
 *  ACCEPTED   x        limit or budget  of order    size                side
 *  REJECTED   x        of command       of command                      reason; contra: type of the command
 *  EXECUTED   x        of the trade     traded      left of the order   side, contra, tradeId, maker flag
 *  CANCELLED  x        of the order     removed     left of the order   side, reason
 *  REPLACED   now      new price        new size    left of the order   side; contra: client's id before
 *  TRIGGERED  x        stop price                                       side
 *  DONE       next     next price       rows        levels reported     more flag, side of the next row; contra as of
 *                                                                       REJECTED
 *  LEVEL               x                volume      number of orders    side
 *  ORDER      x        x                size        left of the order   side
 *  ROW        amount   amount           amount      amount              see docs/protocols/binary.md
 *  LOGON      next     oldest kept      window      first to be sent    reason; requestId: last request
 *  RESEND_END next     oldest kept                                      reason
 * </pre>
 * The reference of an order is the exchange's own id of it.
 */
public final class Answer extends BasePoolAware
{
    private int client;
    private int user;
    private int connection;
    private int symbol;
    private byte kind;
    private byte side;
    private byte reason;
    private byte flags;
    private long sequence;
    private long requestId;
    private long orderId;
    private long reference;
    private long price;
    private long size;
    private long openSize;
    private long contra;
    private long tradeId;
    private long record;
    private long timeNs;

    /** An empty answer. */
    public Answer()
    {
    }

    Answer to(final int newClient, final int newUser, final int newConnection, final long newSequence)
    {
        client = newClient;
        user = newUser;
        connection = newConnection;
        sequence = newSequence;
        return this;
    }

    Answer of(final byte newKind, final byte newSide, final byte newReason, final byte newFlags)
    {
        kind = newKind;
        side = newSide;
        reason = newReason;
        flags = newFlags;
        return this;
    }

    Answer about(final int newSymbol, final long newRequestId, final long newOrderId, final long newReference)
    {
        symbol = newSymbol;
        requestId = newRequestId;
        orderId = newOrderId;
        reference = newReference;
        return this;
    }

    Answer amounts(final long newPrice, final long newSize, final long newOpenSize)
    {
        price = newPrice;
        size = newSize;
        openSize = newOpenSize;
        return this;
    }

    Answer trade(final long newContra, final long newTradeId)
    {
        contra = newContra;
        tradeId = newTradeId;
        return this;
    }

    Answer at(final long newRecord, final long newTimeNs)
    {
        record = newRecord;
        timeNs = newTimeNs;
        return this;
    }

    void repeated()
    {
        flags |= AnswerDescriptor.REPEATED_FLAG;
    }

    /**
     * Copies every field.
     *
     * @param from another answer.
     * @return this.
     */
    public Answer copyOf(final Answer from)
    {
        to(from.client, from.user, from.connection, from.sequence);
        of(from.kind, from.side, from.reason, from.flags);
        about(from.symbol, from.requestId, from.orderId, from.reference);
        amounts(from.price, from.size, from.openSize);
        trade(from.contra, from.tradeId);
        return at(from.record, from.timeNs);
    }

    /** @return number of the client that gets it. */
    public int client()
    {
        return client;
    }

    /** @return of a drop copy, the client that the answer is about; otherwise 0. */
    public int user()
    {
        return user;
    }

    /** @return stamp of the connection that asked, of LOGON and RESEND_END. */
    public int connection()
    {
        return connection;
    }

    /** @return symbol, or currency of a ROW; {@link ExchangeCommand#ALL_SYMBOLS} after a mass cancel of all symbols. */
    public int symbol()
    {
        return symbol;
    }

    /** @return see {@link AnswerKind}. */
    public byte kind()
    {
        return kind;
    }

    /** @return see {@link io.millrace.engine.book.Side}. */
    public byte side()
    {
        return side;
    }

    /** @return see {@link AnswerReason}. */
    public byte reason()
    {
        return reason;
    }

    /** @return see the flags of {@link AnswerDescriptor}. */
    public byte flags()
    {
        return flags;
    }

    /** @return whether nothing is left of the order. */
    public boolean isCompleted()
    {
        return (flags & AnswerDescriptor.COMPLETED_FLAG) != 0;
    }

    /** @return of EXECUTED, whether the order rested in the book. */
    public boolean isMaker()
    {
        return (flags & AnswerDescriptor.MAKER_FLAG) != 0;
    }

    /** @return whether it was sent before, and now again for a repeated request. */
    public boolean isRepeated()
    {
        return (flags & AnswerDescriptor.REPEATED_FLAG) != 0;
    }

    /** @return of DONE, whether the report has more rows. */
    public boolean hasMore()
    {
        return (flags & AnswerDescriptor.MORE_FLAG) != 0;
    }

    /** @return number of the answer in the client's stream, from 1 without a gap; 0 for LOGON and RESEND_END. */
    public long sequence()
    {
        return sequence;
    }

    /** @return number of the request that it answers; 0 for none. */
    public long requestId()
    {
        return requestId;
    }

    /** @return the client's id of its order. */
    public long orderId()
    {
        return orderId;
    }

    /** @return the exchange's id of the order, 0 for none. */
    public long reference()
    {
        return reference;
    }

    /** @return price, in price steps. */
    public long price()
    {
        return price;
    }

    /** @return size, in lots. */
    public long size()
    {
        return size;
    }

    /** @return what is left of the order, in lots. */
    public long openSize()
    {
        return openSize;
    }

    /**
     * @return of EXECUTED, the exchange's id of the other order; of REPLACED, the order id before; of REJECTED and
     * DONE, the {@link io.millrace.engine.CommandType} of the command, NOP if it could not be read.
     */
    public long contra()
    {
        return contra;
    }

    /** @return of EXECUTED, number of the trade, from 1; both sides have the same. */
    public long tradeId()
    {
        return tradeId;
    }

    /** @return number of the journal record of the command. */
    public long record()
    {
        return record;
    }

    /** @return time of the command, in nanoseconds since 1970. */
    public long timeNs()
    {
        return timeNs;
    }

    @Override
    public String toString()
    {
        return AnswerKind.name(kind) + " " + sequence + " to " + client + " user " + user + " request " + requestId +
            " symbol " + symbol + " order " + orderId + " side " + side + " price " + price + " size " + size +
            " open " + openSize + " reason " + AnswerReason.name(kind, reason) + " flags " + flags +
            " trade " + tradeId + " record " + record;
    }
}
