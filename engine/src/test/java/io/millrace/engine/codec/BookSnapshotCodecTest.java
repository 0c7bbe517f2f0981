package io.millrace.engine.codec;

import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.pool.ByteView;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The bytes of a snapshot, and the refused inputs.
 */
class BookSnapshotCodecTest
{
    private static final int ORDERS = 3;
    private static final int LENGTH = 80 + ORDERS * 64 + 8 + 8;

    private final BookSnapshotCodec codec = new BookSnapshotCodec();
    private final BookSnapshot snapshot = new BookSnapshot(ORDERS);
    private final BookSnapshot read = new BookSnapshot(ORDERS);
    private byte[] bytes;

    @BeforeEach
    void encode()
    {
        snapshot.begin(7, 1, 1, 1, 1);
        snapshot.market(100, 2, 11, 12);
        snapshot.tape(13, 14);
        for (int i = 0; i < ORDERS * BookSnapshot.ROW_WORDS; i++)
        {
            snapshot.word(i, 0x0102030405060700L + i);
        }
        snapshot.extraField(0, -5);
        bytes = new byte[LENGTH];
        assertEquals(LENGTH, codec.encode(snapshot, new ByteView(bytes), 0));
    }

    private String refusal(final int offset, final int length)
    {
        read.begin(99, 1, 0, 0, 0);
        read.word(0, 1234);
        final String message = assertThrows(BookSnapshotException.class,
            () -> codec.decode(new ByteView(bytes), offset, length, read)).getMessage();
        assertEquals(99, read.symbol());
        assertEquals(1, read.orderCount());
        assertEquals(1234, read.word(0));
        return message;
    }

    private String refusalOf(final int offset, final String hex)
    {
        encode();
        final byte[] other = HexFormat.of().parseHex(hex);
        System.arraycopy(other, 0, bytes, offset, other.length);
        return refusal(0, LENGTH);
    }

    @Test
    void shouldEncodeTheBytesOfThePage()
    {
        final HexFormat hex = HexFormat.of();
        assertEquals("4d42534e02000000" + "0700000000000000" + "0100000001000000" + "0100000001000000" +
            "6400000000000000" + "0200000000000000" + "0b00000000000000" + "0c00000000000000" +
            "0d00000000000000" + "0e00000000000000", hex.formatHex(bytes, 0, 80));
        assertEquals("0007060504030201" + "0107060504030201", hex.formatHex(bytes, 80, 96));
        assertEquals("fbffffffffffffff", hex.formatHex(bytes, 272, 280));
        final CRC32C sum = new CRC32C();
        sum.update(bytes, 0, LENGTH - 8);
        assertEquals(sum.getValue(), new ByteView(bytes).getLong(LENGTH - 8));
    }

    @Test
    void shouldDecodeItsOwnSnapshot()
    {
        codec.decode(new ByteView(bytes), 0, LENGTH, read);
        final byte[] again = new byte[LENGTH];
        assertEquals(LENGTH, codec.encode(read, new ByteView(again), 0));
        assertArrayEquals(bytes, again);
    }

    @Test
    void shouldDecodeVersionOneWithoutTradeIds()
    {
        final byte[] first = new byte[LENGTH - 16];
        System.arraycopy(bytes, 0, first, 0, 64);
        System.arraycopy(bytes, 80, first, 64, LENGTH - 80);
        first[4] = 1;
        final CRC32C sum = new CRC32C();
        sum.update(first, 0, first.length - 8);
        new ByteView(first).putLong(first.length - 8, sum.getValue());
        codec.decode(new ByteView(bytes), 0, LENGTH, read);
        codec.decode(new ByteView(first), 0, first.length, read);
        assertEquals(0, read.lastTradeId());
        assertEquals(0, read.tapeSequence());
        read.tape(13, 14);
        final byte[] again = new byte[LENGTH];
        assertEquals(LENGTH, codec.encode(read, new ByteView(again), 0));
        assertArrayEquals(bytes, again);
    }

    @Test
    void shouldDecodeItsOwnSnapshotOverManyChunks()
    {
        final Random random = new Random(7);
        final int orders = 1_000;
        final BookSnapshot large = new BookSnapshot(orders);
        large.begin(7, orders, 0, 0, 300);
        for (int i = 0; i < orders * BookSnapshot.ROW_WORDS; i++)
        {
            large.word(i, random.nextLong());
        }
        for (int i = 0; i < 300; i++)
        {
            large.extraField(i, random.nextLong());
        }
        final ByteView view = new ByteView(ByteBuffer.allocateDirect(codec.lengthBytes(large)));
        final int length = codec.encode(large, view, 0);
        final BookSnapshot back = new BookSnapshot(orders);
        codec.decode(view, 0, length, back);
        for (int i = 0; i < orders * BookSnapshot.ROW_WORDS; i++)
        {
            assertEquals(large.word(i), back.word(i));
        }
        for (int i = 0; i < 300; i++)
        {
            assertEquals(large.extraField(i), back.extraField(i));
        }
    }

    @Test
    void shouldEncodeNothingWithoutCapacity()
    {
        final byte[] small = new byte[LENGTH - 1];
        assertEquals(BookSnapshotCodec.INSUFFICIENT_CAPACITY, codec.encode(snapshot, new ByteView(small), 0));
        assertEquals(BookSnapshotCodec.INSUFFICIENT_CAPACITY, codec.encode(snapshot, new ByteView(bytes), 1));
        assertEquals(BookSnapshotCodec.INSUFFICIENT_CAPACITY, codec.encode(snapshot, new ByteView(bytes), -1));
        assertArrayEquals(new byte[LENGTH - 1], small);
    }

    @Test
    void shouldRefuseAnInvalidSnapshotWithAReason()
    {
        assertEquals("bytes 1..289 are not in 0..288", refusal(1, LENGTH));
        assertEquals("bytes -1..287 are not in 0..288", refusal(-1, LENGTH));
        assertEquals("length 71 is less than 72, the length of a snapshot without orders", refusal(0, 71));
        assertEquals("length 287 is not 288, the length of 3 orders and 1 extra fields", refusal(0, LENGTH - 1));
        assertEquals("magic 0x4e534261 is not 0x4e53424d: these bytes are not a snapshot of a book",
            refusalOf(0, "61"));
        assertEquals("version 65535 is not in 1..2, the versions that this codec reads", refusalOf(4, "ffff"));
        assertEquals("reserved bytes 0x00000001 are not zero", refusalOf(6, "01"));
        assertEquals("reserved bytes 0x01000000 are not zero", refusalOf(15, "01"));
        assertEquals("bids 4 is not in 0..3", refusalOf(16, "04"));
        assertEquals("asks 4294967295 is not in 0..2", refusalOf(20, "ffffffff"));
        assertEquals("stops 2 is not in 0..1", refusalOf(24, "02"));
        assertEquals("extra fields 4 is not in 0..3", refusalOf(28, "04"));
        assertTrue(refusalOf(80, "01").matches(
            "checksum 0x[0-9a-f]{8} is not 0x[0-9a-f]{8}, the checksum of the first 280 bytes"));
        assertEquals("reserved bytes 0x01000000 at the end are not zero", refusalOf(LENGTH - 1, "01"));
    }

    @Test
    void shouldDetectEveryChangedBit()
    {
        for (int bit = 0; bit < LENGTH * 8; bit++)
        {
            encode();
            bytes[bit >>> 3] ^= (byte)(1 << (bit & 7));
            refusal(0, LENGTH);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("normal")
    void shouldAllocateNothing(final boolean direct)
    {
        final ByteView view = new ByteView(direct ? ByteBuffer.allocateDirect(LENGTH) : ByteBuffer.allocate(LENGTH));
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 50_000; i++)
            {
                codec.encode(snapshot, view, 0);
                codec.decode(view, 0, LENGTH, read);
            }
        });
    }
}
