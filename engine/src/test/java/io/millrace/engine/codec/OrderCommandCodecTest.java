package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Encodes and decodes every command.
 */
class OrderCommandCodecTest extends EventCodecSuite<OrderCommand>
{
    OrderCommandCodecTest()
    {
        super(new OrderCommandCodec(), OrderCommand::new);
    }

    @Override
    List<OrderCommand> samples()
    {
        return Samples.commands();
    }

    @Override
    String text(final OrderCommand event)
    {
        return Samples.text(event);
    }

    @Override
    byte[] types()
    {
        return new byte[] {RecordType.COMMAND, RecordType.SYMBOL, RecordType.REQUEST, RecordType.SYMBOL_REQUEST};
    }

    /** A SYMBOL record that makes no symbol is an ADD_SYMBOL without one, which is another record. */
    @Override
    boolean givesTheSameBytes(final OrderCommand decoded)
    {
        return decoded.commandType() != CommandType.ADD_SYMBOL || decoded.spec() != null;
    }

    @Test
    void shouldCoverEachCommandWithASample()
    {
        final Set<Byte> types = Samples.commands().stream().map(OrderCommand::commandType).collect(Collectors.toSet());
        for (byte type = CommandType.PLACE; CommandType.isValid(type); type++)
        {
            assertTrue(types.contains(type), CommandType.name(type));
        }
    }

    private DecodeResult decode(final byte[] bytes, final OrderCommand into)
    {
        return codec.decode(new ByteView(bytes), 0, bytes.length, into);
    }

    @Test
    void shouldPassEveryEnumByteToTheEngine()
    {
        final byte[] bytes = bytesOf(new OrderCommand().limit(7, 1, 2, (byte)0, 3, 4));
        final OrderCommand command = new OrderCommand();
        for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++)
        {
            bytes[CommandDescriptor.COMMAND_OFFSET] = (byte)value;
            bytes[CommandDescriptor.ORDER_TYPE_OFFSET] = (byte)(value + 1);
            bytes[CommandDescriptor.SIDE_OFFSET] = (byte)(value + 2);
            bytes[CommandDescriptor.SELF_TRADE_POLICY_OFFSET] = (byte)(value + 3);
            assertEquals(DecodeResult.OK, decode(bytes, command));
            assertEquals((byte)value, command.commandType());
            assertEquals((byte)(value + 1), command.orderType());
            assertEquals((byte)(value + 2), command.side());
            assertEquals((byte)(value + 3), command.selfTradePolicy());
        }
    }

    @Test
    void shouldRefuseOtherVersionsAndReservedBytes()
    {
        for (final OrderCommand sample : Samples.commands())
        {
            final byte[] bytes = bytesOf(sample);
            bytes[RecordType.VERSION_OFFSET] = 2;
            assertEquals(DecodeResult.WRONG_VERSION, decode(bytes, newEvent()));
        }
        for (final int offset : new int[] {6, 7, 12, 13, 14, 15})
        {
            final byte[] bytes = bytesOf(new OrderCommand().nop());
            bytes[offset] = -128;
            assertEquals(DecodeResult.RESERVED_NOT_ZERO, decode(bytes, newEvent()));
        }
    }

    /** It would be another form of a COMMAND. */
    @Test
    void shouldRefuseARequestWithoutARequestId()
    {
        final byte[] bytes = bytesOf(new OrderCommand().limit(7, 1, 2, (byte)0, 3, 4).correlation(1));
        assertEquals(DecodeResult.OK, decode(bytes, newEvent()));
        new ByteView(bytes).putLong(CommandDescriptor.CORRELATION_OFFSET, 0);
        assertEquals(DecodeResult.WRONG_VALUE, decode(bytes, newEvent()));
    }

    @Test
    void shouldRefuseAnInvalidSymbolRecord()
    {
        final OrderCommand command = new OrderCommand().addSymbol(Samples.spec(), Samples.terms());
        for (final int offset : new int[] {5, 6, 7, 20, 21, 22, 23})
        {
            final byte[] bytes = bytesOf(command);
            bytes[offset] = 1;
            assertEquals(DecodeResult.RESERVED_NOT_ZERO, decode(bytes, newEvent()));
        }
        final byte[] bytes = bytesOf(command);
        bytes[SymbolDescriptor.COMMAND_OFFSET] = CommandType.NOP;
        assertEquals(DecodeResult.WRONG_VALUE, decode(bytes, newEvent()));
        bytes[SymbolDescriptor.COMMAND_OFFSET] = CommandType.ADD_SYMBOL;
        bytes[SymbolDescriptor.HAS_TERMS_OFFSET] = 2;
        assertEquals(DecodeResult.WRONG_VALUE, decode(bytes, newEvent()));
        bytes[SymbolDescriptor.HAS_TERMS_OFFSET] = 0;
        assertEquals(DecodeResult.RESERVED_NOT_ZERO, decode(bytes, newEvent()), "terms are there all the same");
    }

    @Test
    void shouldDecodeAnInvalidSymbolForTheEngineToRefuse()
    {
        final int[] lastBytes = {SymbolDescriptor.SYMBOL_TYPE_OFFSET, SymbolDescriptor.ORDER_CAPACITY_OFFSET + 3,
            SymbolDescriptor.WINDOW_TICKS_OFFSET + 3, SymbolDescriptor.MIN_PRICE_OFFSET + 7,
            SymbolDescriptor.MAX_PRICE_OFFSET + 7, SymbolDescriptor.MIN_ASK_PRICE_OFFSET + 7,
            SymbolDescriptor.TAKER_FEE_OFFSET + 7, SymbolDescriptor.BASE_SCALE_OFFSET + 7};
        for (final int offset : lastBytes)
        {
            final byte[] bytes = bytesOf(new OrderCommand().addSymbol(Samples.spec(), Samples.terms()).timestampNs(9));
            bytes[offset] = -1;
            final OrderCommand command = new OrderCommand();
            assertEquals(DecodeResult.OK, decode(bytes, command));
            assertEquals(CommandType.ADD_SYMBOL, command.commandType());
            assertEquals(7, command.symbol());
            assertEquals(9, command.timestampNs());
            assertNull(command.spec(), "byte " + offset);
            assertNull(command.terms());
        }
        assertNotNull(Samples.spec());
    }
}
