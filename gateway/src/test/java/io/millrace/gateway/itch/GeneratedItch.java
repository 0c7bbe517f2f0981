package io.millrace.gateway.itch;

import io.millrace.gateway.Symbols;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Random messages of all types that the encoder has, of some stocks. Allocates nothing after the constructor. */
final class GeneratedItch
{
    private static final String TYPES = "AAAADDDDEEXUFCPSR";
    private static final long STOCK = Symbols.of("ZZZ");

    private final SplittableRandom random;
    private final ItchEncoder encoder = new ItchEncoder();
    private long timeNs;

    GeneratedItch(final SplittableRandom random)
    {
        this.random = random;
    }

    /** Writes one message; its length. */
    int write(final ByteBuffer buffer, final int offset)
    {
        final int locate = 1 + random.nextInt(3);
        encoder.wrap(buffer, offset).header(locate, 0, timeNs++);
        final long reference = random.nextInt(200);
        final byte side = (byte)(random.nextBoolean() ? 'B' : 'S');
        final long shares = 1 + random.nextInt(300);
        final long price = 1_000_000 + 100 * random.nextInt(50);
        final long stock = STOCK + ((long)locate << 56);
        switch (TYPES.charAt(random.nextInt(TYPES.length())))
        {
            case 'A':
                return encoder.add(reference, side, shares, stock, price);
            case 'F':
                return encoder.addAttributed(reference, side, shares, stock, price, 0x4E534451);
            case 'D':
                return encoder.delete(reference);
            case 'E':
                return encoder.execute(reference, shares, timeNs);
            case 'C':
                return encoder.executeWithPrice(reference, shares, timeNs, true, price);
            case 'X':
                return encoder.cancel(reference, shares);
            case 'U':
                return encoder.replace(reference, random.nextInt(200), shares, price);
            case 'P':
                return encoder.trade(0, side, shares, stock, price, timeNs);
            case 'S':
                return encoder.systemEvent((byte)'Q');
            default:
                return encoder.stockDirectory(stock);
        }
    }

    /** Writes frames from the buffer's start; their end. */
    int writeFrames(final ByteBuffer buffer, final int count)
    {
        int at = 0;
        for (int i = 0; i < count; i++)
        {
            final int length = write(buffer, at + 2);
            buffer.putShort(at, (short)length);
            at += 2 + length;
        }
        return at;
    }
}
