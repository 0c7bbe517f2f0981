package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes every command: as a {@link CommandDescriptor}, or an ADD_SYMBOL with a spec as a {@link SymbolDescriptor}.
 * Of the two records of each, it writes the shorter one that has all fields of the command.
 * <p>
 * The decoder accepts any command, order type, side and policy byte and any number; the engine refuses a wrong one with
 * a result code. An ADD_SYMBOL whose numbers are not a valid spec or valid terms is decoded without them. Stateless;
 * any thread. Allocates nothing except the spec and the terms of an ADD_SYMBOL, and an exception when they are invalid.
 */
public final class OrderCommandCodec implements EventCodec<OrderCommand>
{
    private static final SymbolType[] SYMBOL_TYPES = SymbolType.values();

    /** Creates a codec. */
    public OrderCommandCodec()
    {
    }

    @Override
    public int maxLengthBytes()
    {
        return SymbolDescriptor.REQUEST_LENGTH;
    }

    /**
     * Writes a command.
     * @return the length of the record or {@link EventCodec#INSUFFICIENT_CAPACITY}.
     */
    @Override
    public int encode(final OrderCommand event, final ByteView into, final int offset)
    {
        if (event.commandType() == CommandType.ADD_SYMBOL && event.spec() != null)
        {
            return encodeSymbol(event, into, offset);
        }
        final boolean isRequest = event.correlation() != 0;
        final int length = isRequest ? CommandDescriptor.REQUEST_LENGTH : CommandDescriptor.LENGTH;
        if (!into.contains(offset, length))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + CommandDescriptor.TYPE_OFFSET, isRequest ? RecordType.REQUEST : RecordType.COMMAND);
        into.putByte(offset + CommandDescriptor.VERSION_OFFSET, RecordType.VERSION);
        into.putByte(offset + CommandDescriptor.COMMAND_OFFSET, event.commandType());
        into.putByte(offset + CommandDescriptor.ORDER_TYPE_OFFSET, event.orderType());
        into.putByte(offset + CommandDescriptor.SIDE_OFFSET, event.side());
        into.putByte(offset + CommandDescriptor.SELF_TRADE_POLICY_OFFSET, event.selfTradePolicy());
        into.putShort(offset + CommandDescriptor.RESERVED_OFFSET, (short)0);
        into.putInt(offset + CommandDescriptor.SYMBOL_OFFSET, event.symbol());
        into.putInt(offset + CommandDescriptor.RESERVED_2_OFFSET, 0);
        into.putLong(offset + CommandDescriptor.ORDER_ID_OFFSET, event.orderId());
        into.putLong(offset + CommandDescriptor.UID_OFFSET, event.uid());
        into.putLong(offset + CommandDescriptor.PRICE_OFFSET, event.price());
        into.putLong(offset + CommandDescriptor.SIZE_OFFSET, event.size());
        into.putLong(offset + CommandDescriptor.RESERVE_PRICE_OFFSET, event.reservePrice());
        into.putLong(offset + CommandDescriptor.PARAMETER_OFFSET, event.parameter());
        into.putLong(offset + CommandDescriptor.TIMESTAMP_NS_OFFSET, event.timestampNs());
        if (isRequest)
        {
            into.putLong(offset + CommandDescriptor.CORRELATION_OFFSET, event.correlation());
        }
        return length;
    }

    private static int encodeSymbol(final OrderCommand event, final ByteView into, final int offset)
    {
        final SymbolSpec spec = event.spec();
        final SymbolTerms terms = event.terms();
        final boolean isRequest = event.correlation() != 0 || spec.hasTradingLimits();
        final int length = isRequest ? SymbolDescriptor.REQUEST_LENGTH : SymbolDescriptor.LENGTH;
        if (!into.contains(offset, length))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + SymbolDescriptor.TYPE_OFFSET, isRequest ? RecordType.SYMBOL_REQUEST : RecordType.SYMBOL);
        into.putByte(offset + SymbolDescriptor.VERSION_OFFSET, RecordType.VERSION);
        into.putByte(offset + SymbolDescriptor.COMMAND_OFFSET, CommandType.ADD_SYMBOL);
        into.putByte(offset + SymbolDescriptor.SYMBOL_TYPE_OFFSET, (byte)spec.type().ordinal());
        into.putByte(offset + SymbolDescriptor.HAS_TERMS_OFFSET, (byte)(terms == null ? 0 : 1));
        Reserved.clear(into, offset + SymbolDescriptor.RESERVED_OFFSET, SymbolDescriptor.RESERVED_LENGTH);
        into.putInt(offset + SymbolDescriptor.SYMBOL_OFFSET, spec.symbol());
        into.putInt(offset + SymbolDescriptor.ORDER_CAPACITY_OFFSET, spec.orderCapacity());
        into.putInt(offset + SymbolDescriptor.WINDOW_TICKS_OFFSET, spec.windowTicks());
        into.putInt(offset + SymbolDescriptor.RESERVED_2_OFFSET, 0);
        into.putLong(offset + SymbolDescriptor.MIN_PRICE_OFFSET, spec.minPrice());
        into.putLong(offset + SymbolDescriptor.MAX_PRICE_OFFSET, spec.maxPrice());
        into.putLong(offset + SymbolDescriptor.MIN_ASK_PRICE_OFFSET, spec.minAskPrice());
        into.putLong(offset + SymbolDescriptor.TIMESTAMP_NS_OFFSET, event.timestampNs());
        if (terms == null)
        {
            Reserved.clear(into, offset + SymbolDescriptor.BASE_CURRENCY_OFFSET, SymbolDescriptor.TERMS_LENGTH);
        }
        else
        {
            into.putInt(offset + SymbolDescriptor.BASE_CURRENCY_OFFSET, terms.baseCurrency());
            into.putInt(offset + SymbolDescriptor.QUOTE_CURRENCY_OFFSET, terms.quoteCurrency());
            into.putLong(offset + SymbolDescriptor.BASE_SCALE_OFFSET, terms.baseScaleK());
            into.putLong(offset + SymbolDescriptor.QUOTE_SCALE_OFFSET, terms.quoteScaleK());
            into.putLong(offset + SymbolDescriptor.TAKER_FEE_OFFSET, terms.takerFee());
            into.putLong(offset + SymbolDescriptor.MAKER_FEE_OFFSET, terms.makerFee());
            into.putLong(offset + SymbolDescriptor.MARGIN_BUY_OFFSET, terms.marginBuy());
            into.putLong(offset + SymbolDescriptor.MARGIN_SELL_OFFSET, terms.marginSell());
            into.putLong(offset + SymbolDescriptor.MAX_POSITION_OFFSET, terms.maxPosition());
        }
        if (isRequest)
        {
            into.putLong(offset + SymbolDescriptor.CORRELATION_OFFSET, event.correlation());
            into.putLong(offset + SymbolDescriptor.MAX_ORDER_SIZE_OFFSET, spec.maxOrderSize());
            into.putLong(offset + SymbolDescriptor.BAND_TICKS_OFFSET, spec.priceBand().ticks());
            into.putLong(offset + SymbolDescriptor.BAND_REFERENCE_OFFSET, spec.priceBand().reference());
            into.putLong(offset + SymbolDescriptor.BAND_POLICY_OFFSET, spec.priceBand().policy().ordinal());
        }
        return length;
    }

    /**
     * Reads a command.
     * @return OK, OUT_OF_BOUNDS, TOO_SHORT, TOO_LONG, WRONG_TYPE, WRONG_VERSION or RESERVED_NOT_ZERO. WRONG_VALUE: a
     *     REQUEST without a request id, or a SYMBOL_REQUEST that has only the fields of a SYMBOL; of a {@link
     *     SymbolDescriptor} a command byte other than ADD_SYMBOL, or a terms flag that is neither 0 nor 1.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final OrderCommand into)
    {
        final DecodeResult bounds = Reserved.checkBounds(from, offset, length);
        if (bounds != DecodeResult.OK)
        {
            return bounds;
        }
        switch (from.getByte(offset))
        {
            case RecordType.COMMAND:
                return decodeCommand(from, offset, length, into);
            case RecordType.REQUEST:
                return decodeRequest(from, offset, length, into);
            case RecordType.SYMBOL:
            case RecordType.SYMBOL_REQUEST:
                return decodeSymbol(from, offset, length, into);
            default:
                return DecodeResult.WRONG_TYPE;
        }
    }

    private static DecodeResult decodeRequest(
        final ByteView from, final int offset, final int length, final OrderCommand into)
    {
        final DecodeResult shape = Reserved.check(from, offset, length, CommandDescriptor.REQUEST_LENGTH);
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        final long correlation = from.getLong(offset + CommandDescriptor.CORRELATION_OFFSET);
        if (correlation == 0)
        {
            return DecodeResult.WRONG_VALUE;
        }
        final DecodeResult result = fill(from, offset, into);
        if (result == DecodeResult.OK)
        {
            into.correlation(correlation);
        }
        return result;
    }

    private static DecodeResult decodeCommand(
        final ByteView from, final int offset, final int length, final OrderCommand into)
    {
        final DecodeResult shape = Reserved.check(from, offset, length, CommandDescriptor.LENGTH);
        return shape != DecodeResult.OK ? shape : fill(from, offset, into);
    }

    /** Sets all fields of a command, without a request id. */
    private static DecodeResult fill(final ByteView from, final int offset, final OrderCommand into)
    {
        if ((from.getShort(offset + CommandDescriptor.RESERVED_OFFSET) |
            from.getInt(offset + CommandDescriptor.RESERVED_2_OFFSET)) != 0)
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        into.set(from.getByte(offset + CommandDescriptor.COMMAND_OFFSET),
            from.getByte(offset + CommandDescriptor.ORDER_TYPE_OFFSET),
            from.getByte(offset + CommandDescriptor.SIDE_OFFSET),
            from.getByte(offset + CommandDescriptor.SELF_TRADE_POLICY_OFFSET),
            from.getInt(offset + CommandDescriptor.SYMBOL_OFFSET),
            from.getLong(offset + CommandDescriptor.ORDER_ID_OFFSET),
            from.getLong(offset + CommandDescriptor.UID_OFFSET),
            from.getLong(offset + CommandDescriptor.PRICE_OFFSET),
            from.getLong(offset + CommandDescriptor.SIZE_OFFSET),
            from.getLong(offset + CommandDescriptor.RESERVE_PRICE_OFFSET),
            from.getLong(offset + CommandDescriptor.PARAMETER_OFFSET),
            from.getLong(offset + CommandDescriptor.TIMESTAMP_NS_OFFSET));
        return DecodeResult.OK;
    }

    private static DecodeResult decodeSymbol(
        final ByteView from, final int offset, final int length, final OrderCommand into)
    {
        final boolean isRequest = from.getByte(offset) == RecordType.SYMBOL_REQUEST;
        final DecodeResult shape = Reserved.check(
            from, offset, length, isRequest ? SymbolDescriptor.REQUEST_LENGTH : SymbolDescriptor.LENGTH);
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        final byte hasTerms = from.getByte(offset + SymbolDescriptor.HAS_TERMS_OFFSET);
        if (!Reserved.isClear(from, offset + SymbolDescriptor.RESERVED_OFFSET, SymbolDescriptor.RESERVED_LENGTH) ||
            from.getInt(offset + SymbolDescriptor.RESERVED_2_OFFSET) != 0 || hasTerms == 0 &&
            !Reserved.isClear(from, offset + SymbolDescriptor.BASE_CURRENCY_OFFSET, SymbolDescriptor.TERMS_LENGTH) ||
            isRequest && (from.getLong(offset + SymbolDescriptor.BAND_POLICY_OFFSET) & ~0xFFL) != 0)
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        if (from.getByte(offset + SymbolDescriptor.COMMAND_OFFSET) != CommandType.ADD_SYMBOL ||
            (hasTerms & ~1) != 0)
        {
            return DecodeResult.WRONG_VALUE;
        }
        final long correlation = isRequest ? from.getLong(offset + SymbolDescriptor.CORRELATION_OFFSET) : 0;
        final SymbolSpec spec = spec(from, offset, isRequest);
        if (isRequest && correlation == 0 && (spec == null || !spec.hasTradingLimits()))
        {
            return DecodeResult.WRONG_VALUE;
        }
        final SymbolTerms terms = hasTerms == 0 ? null : terms(from, offset);
        if (spec == null || hasTerms != 0 && terms == null)
        {
            into.set(CommandType.ADD_SYMBOL, OrderType.GTC, Side.BID,
                from.getInt(offset + SymbolDescriptor.SYMBOL_OFFSET), 0, 0, 0, 0, 0, 0);
        }
        else
        {
            into.addSymbol(spec, terms);
        }
        into.timestampNs(from.getLong(offset + SymbolDescriptor.TIMESTAMP_NS_OFFSET)).correlation(correlation);
        return DecodeResult.OK;
    }

    /** Null when the numbers are invalid: the engine then refuses the command. */
    private static SymbolSpec spec(final ByteView from, final int offset, final boolean isRequest)
    {
        final byte type = from.getByte(offset + SymbolDescriptor.SYMBOL_TYPE_OFFSET);
        if (type < 0 || type >= SYMBOL_TYPES.length)
        {
            return null;
        }
        try
        {
            final SymbolSpec spec = new SymbolSpec(
                from.getInt(offset + SymbolDescriptor.SYMBOL_OFFSET),
                SYMBOL_TYPES[type],
                from.getInt(offset + SymbolDescriptor.ORDER_CAPACITY_OFFSET),
                from.getInt(offset + SymbolDescriptor.WINDOW_TICKS_OFFSET),
                from.getLong(offset + SymbolDescriptor.MIN_PRICE_OFFSET),
                from.getLong(offset + SymbolDescriptor.MAX_PRICE_OFFSET),
                from.getLong(offset + SymbolDescriptor.MIN_ASK_PRICE_OFFSET));
            return isRequest ? spec.withMaxOrderSize(from.getLong(offset + SymbolDescriptor.MAX_ORDER_SIZE_OFFSET))
                .withPriceBand(PriceBand.of(from.getByte(offset + SymbolDescriptor.BAND_POLICY_OFFSET) & 0xFF,
                    from.getLong(offset + SymbolDescriptor.BAND_TICKS_OFFSET),
                    from.getLong(offset + SymbolDescriptor.BAND_REFERENCE_OFFSET))) : spec;
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }

    /** Null when the numbers are invalid. */
    private static SymbolTerms terms(final ByteView from, final int offset)
    {
        try
        {
            return new SymbolTerms(
                from.getInt(offset + SymbolDescriptor.BASE_CURRENCY_OFFSET),
                from.getInt(offset + SymbolDescriptor.QUOTE_CURRENCY_OFFSET),
                from.getLong(offset + SymbolDescriptor.BASE_SCALE_OFFSET),
                from.getLong(offset + SymbolDescriptor.QUOTE_SCALE_OFFSET),
                from.getLong(offset + SymbolDescriptor.TAKER_FEE_OFFSET),
                from.getLong(offset + SymbolDescriptor.MAKER_FEE_OFFSET),
                from.getLong(offset + SymbolDescriptor.MARGIN_BUY_OFFSET),
                from.getLong(offset + SymbolDescriptor.MARGIN_SELL_OFFSET),
                from.getLong(offset + SymbolDescriptor.MAX_POSITION_OFFSET));
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }
}
