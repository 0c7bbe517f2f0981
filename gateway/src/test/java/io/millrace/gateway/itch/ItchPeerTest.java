package io.millrace.gateway.itch;

import com.paritytrading.juncture.nasdaq.itch50.ITCH50;
import io.millrace.gateway.Symbols;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Juncture, another implementation of ITCH 5.0, reads what ours writes and writes what ours reads, field by field. */
class ItchPeerTest
{
    private static final int ROUNDS = 50;
    /** Not Q: theirs has 36 bytes; the specification, and each real packet, has 40. Not O, which is younger. */
    private static final Map<Character, Class<? extends ITCH50.Message>> THEIRS = Map.ofEntries(
        Map.entry('S', ITCH50.SystemEvent.class), Map.entry('R', ITCH50.StockDirectory.class),
        Map.entry('H', ITCH50.StockTradingAction.class), Map.entry('Y', ITCH50.RegSHORestriction.class),
        Map.entry('L', ITCH50.MarketParticipantPosition.class), Map.entry('V', ITCH50.MWCBDeclineLevel.class),
        Map.entry('W', ITCH50.MWCBStatus.class), Map.entry('K', ITCH50.IPOQuotingPeriodUpdate.class),
        Map.entry('J', ITCH50.LULDAuctionCollar.class), Map.entry('h', ITCH50.OperationalHalt.class),
        Map.entry('A', ITCH50.AddOrder.class), Map.entry('F', ITCH50.AddOrderMPID.class),
        Map.entry('E', ITCH50.OrderExecuted.class), Map.entry('C', ITCH50.OrderExecutedWithPrice.class),
        Map.entry('X', ITCH50.OrderCancel.class), Map.entry('D', ITCH50.OrderDelete.class),
        Map.entry('U', ITCH50.OrderReplace.class), Map.entry('P', ITCH50.Trade.class),
        Map.entry('B', ITCH50.BrokenTrade.class),
        Map.entry('I', ITCH50.NOII.class), Map.entry('N', ITCH50.RPII.class));
    private static final String ORDERS = "AFECXDUP";

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ByteBuffer buffer = ByteBuffer.allocate(64);
    private final ItchMessage message = new ItchMessage();

    /** Their name of a field, and how ours reads it. */
    private static Map<String, ToLongFunction<ItchMessage>> fields(final char type)
    {
        final Map<String, ToLongFunction<ItchMessage>> fields = new HashMap<>();
        fields.put("stockLocate", ItchMessage::stockLocate);
        fields.put("locateCode", ItchMessage::stockLocate);
        fields.put("trackingNumber", ItchMessage::trackingNumber);
        fields.put("timestampHigh", m -> m.timeNs() >>> 32);
        fields.put("timestampLow", m -> m.timeNs() & 0xFFFF_FFFFL);
        fields.put("stock", ItchMessage::stockOfAnyType);
        if (type == 'S')
        {
            fields.put("eventCode", ItchMessage::eventCode);
        }
        if (ORDERS.indexOf(type) >= 0)
        {
            fields.put("orderReferenceNumber", ItchMessage::reference);
            fields.put("originalOrderReferenceNumber", ItchMessage::reference);
            fields.put("newOrderReferenceNumber", ItchMessage::newReference);
            fields.put("buySellIndicator", ItchMessage::side);
            fields.put("shares", type == 'U' ? ItchMessage::newShares : ItchMessage::shares);
            fields.put("price", type == 'U' ? ItchMessage::newPrice : ItchMessage::price);
            fields.put("executionPrice", ItchMessage::price);
            fields.put("executedShares", ItchMessage::takenShares);
            fields.put("canceledShares", ItchMessage::takenShares);
            fields.put("matchNumber", type == 'P' ? ItchMessage::tradeMatchNumber : ItchMessage::takenMatchNumber);
            fields.put("printable", m -> m.isPrintable() ? 'Y' : 'N');
            fields.put("attribution", ItchMessage::attribution);
        }
        return fields;
    }

    /** Compares each field, by its name; what {@link ItchMessage} reads, that way as well. */
    private void compare(final char type, final ITCH50.Message theirs) throws ReflectiveOperationException
    {
        final Map<String, ToLongFunction<ItchMessage>> ours = fields(type);
        for (final Field field : theirs.getClass().getFields())
        {
            final ToLongFunction<ItchMessage> read = ours.get(field.getName());
            final List<ItchFields.Field> named = ItchFields.of((byte)type).stream()
                .filter(each -> each.name().equals(field.getName())).toList();
            for (final ItchFields.Field each : named)
            {
                final long mask = -1L >>> Long.SIZE - Byte.SIZE * each.size();
                assertEquals(field.getLong(theirs) & mask, ItchFields.value(message, each),
                    () -> "-Dmillrace.seed=" + seed + " " + type + " " + field.getName());
            }
            if (read != null)
            {
                assertEquals(field.getLong(theirs), read.applyAsLong(message),
                    () -> "-Dmillrace.seed=" + seed + " " + type + " " + field.getName());
            }
            else
            {
                assertEquals(1, named.size(), type + " " + field.getName());
            }
        }
    }

    private void fill(final ITCH50.Message theirs) throws ReflectiveOperationException
    {
        for (final Field field : theirs.getClass().getFields())
        {
            final long bits = random.nextInt(4) == 0 ? -random.nextInt(2) : random.nextLong();
            final boolean is16 = field.getName().matches("stockLocate|locateCode|trackingNumber|timestampHigh");
            final boolean is64 = field.getName().matches(
                "stock|orderReferenceNumber|originalOrderReferenceNumber|newOrderReferenceNumber|matchNumber");
            if (field.getName().equals("printable"))
            {
                field.setByte(theirs, (byte)(random.nextBoolean() ? 'Y' : 'N'));
            }
            else if (field.getType() == byte.class)
            {
                field.setByte(theirs, (byte)bits);
            }
            else if (field.getType() == short.class)
            {
                field.setShort(theirs, (short)bits);
            }
            else if (field.getType() == int.class)
            {
                field.setInt(theirs, is16 ? (int)bits & 0xFFFF : (int)bits);
            }
            else
            {
                field.setLong(theirs, is64 ? bits : bits & 0xFFFF_FFFFL);
            }
        }
    }

    @Test
    void shouldNameEachByteOfEachMessage()
    {
        for (final char type : ItchDescriptor.types().toCharArray())
        {
            final int length = ItchFields.of((byte)type).stream().mapToInt(ItchFields.Field::size).sum();
            assertEquals(ItchDescriptor.length((byte)type), ItchDescriptor.BODY_OFFSET + length, "type " + type);
        }
        assertTrue(ItchFields.of((byte)'?').isEmpty());
        new ItchEncoder().wrap(buffer.clear(), 0).header(5, 6, 7).add(8, (byte)'B', 9, Symbols.of("AAPL"), 10);
        assertEquals("A locate=5 tracking=6 time=7 orderReferenceNumber=8 buySellIndicator=B shares=9 stock=AAPL " +
            "price=10", ItchFields.describe(message.wrap(buffer.array(), 0)));
    }

    @Test
    void shouldReadWhatJunctureWrites() throws ReflectiveOperationException
    {
        final ItchCounters counters = new ItchCounters();
        for (final char type : ItchDescriptor.types().toCharArray())
        {
            final Class<? extends ITCH50.Message> kind = THEIRS.get(type);
            for (int i = 0; i < (kind == null ? 0 : ROUNDS); i++)
            {
                final ITCH50.Message theirs = kind.getConstructor().newInstance();
                fill(theirs);
                theirs.put(buffer.clear());
                assertTrue(counters.accept(buffer.array(), 0, buffer.position()),
                    "type " + type + " has " + buffer.position() + " bytes");
                message.wrap(buffer.array(), 0);
                compare(type, theirs);
            }
            assertEquals(kind == null ? 0 : ROUNDS, counters.messages(type));
        }
    }

    @Test
    void shouldWriteWhatJunctureReads() throws ReflectiveOperationException
    {
        final ItchEncoder encoder = new ItchEncoder();
        for (int i = 0; i < 8 * ROUNDS; i++)
        {
            final char type = ("SR" + ORDERS).charAt(i % 10);
            buffer.clear();
            encoder.wrap(buffer, 3).header(random.nextInt(65_536), random.nextInt(65_536), random.nextLong() >>> 16);
            final int length = encode(encoder, type);
            assertEquals(ItchDescriptor.length((byte)type), length);
            final ITCH50.Message theirs = THEIRS.get(type).getConstructor().newInstance();
            buffer.position(4);
            theirs.get(buffer);
            assertEquals(3 + length, buffer.position());
            buffer.clear();
            message.wrap(buffer.array(), 3);
            assertEquals(type, message.type());
            compare(type, theirs);
            // And back: they write the same bytes.
            final ByteBuffer again = ByteBuffer.allocate(64);
            theirs.put(again);
            assertEquals(buffer.slice(3, length), again.flip(), "type " + type);
        }
    }

    private int encode(final ItchEncoder encoder, final char type)
    {
        final long reference = random.nextLong();
        final long other = random.nextLong();
        final byte side = (byte)(random.nextBoolean() ? 'B' : 'S');
        final long shares = random.nextLong() >>> 32;
        final long price = random.nextLong() >>> 32;
        assertNotNull(THEIRS.get(type));
        return switch (type)
        {
            case 'S' -> encoder.systemEvent((byte)'Q');
            case 'R' -> encoder.stockDirectory(other);
            case 'A' -> encoder.add(reference, side, shares, other, price);
            case 'F' -> encoder.addAttributed(reference, side, shares, other, price, random.nextInt());
            case 'E' -> encoder.execute(reference, shares, other);
            case 'C' -> encoder.executeWithPrice(reference, shares, other, random.nextBoolean(), price);
            case 'X' -> encoder.cancel(reference, shares);
            case 'D' -> encoder.delete(reference);
            case 'U' -> encoder.replace(reference, other, shares, price);
            default -> encoder.trade(reference, side, shares, other, price, random.nextLong());
        };
    }
}
