package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * U1: random and mutated payloads and lines, all truncations and all longer ones. The decoder must refuse exactly those
 * that a naive one refuses, throw nothing and allocate nothing.
 */
class MutationTest
{
    private static final int LONGEST = 2_300;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final byte[] bytes = new byte[LONGEST];
    private final ByteView view = new ByteView(bytes);
    private final BboEvent event = new BboEvent();
    private long state;

    /** A linear congruential generator, by Knuth: one that can begin again without a new object. */
    private int next(final int bound)
    {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int)((state >>> 33) % bound);
    }

    /** Makes the next input of the seed in the array, and returns its length. Allocates nothing. */
    private int make(final byte[][] samples)
    {
        final byte[] sample = samples[next(samples.length)];
        int length = sample.length;
        switch (next(5))
        {
            case 0:
                length = next(100);
                for (int i = 0; i < length; i++)
                {
                    bytes[i] = (byte)next(256);
                }
                return length;
            case 1:
                // Longer in front, as senders pad; it stays what it is.
                final int more = next(next(8) == 0 ? 2_001 : 200);
                Arrays.fill(bytes, 0, more, (byte)next(256));
                System.arraycopy(sample, 0, bytes, more, length);
                return more + length;
            case 2:
                length = next(sample.length + 1);
                break;
            case 3:
                length += next(4);
                break;
            default:
                break;
        }
        System.arraycopy(sample, 0, bytes, 0, sample.length);
        Arrays.fill(bytes, sample.length, sample.length + 4, (byte)next(256));
        for (int i = next(4); i > 0 && length > 0; i--)
        {
            bytes[next(length)] = (byte)next(256);
        }
        return length;
    }

    private int malformed(final EventCodec<BboEvent> codec, final byte[][] samples, final int inputs)
    {
        state = seed;
        int malformed = 0;
        for (int i = 0; i < inputs; i++)
        {
            final int length = make(samples);
            malformed += codec.decode(view, 0, length, event) == DecodeResult.OK ? 0 : 1;
        }
        return malformed;
    }

    private void shouldRefuseExactly(
        final int inputs, final EventCodec<BboEvent> codec, final Predicate<byte[]> naive, final byte[]... samples)
        throws Exception
    {
        state = seed;
        int expected = 0;
        for (int i = 0; i < inputs; i++)
        {
            final int length = make(samples);
            final boolean valid = naive.test(Arrays.copyOf(bytes, length));
            expected += valid ? 0 : 1;
            assertEquals(valid, codec.decode(view, 0, length, event) == DecodeResult.OK,
                "-Dmillrace.seed=" + seed + " input " + i);
        }
        assertTrue(expected > inputs / 4 && expected < inputs * 19 / 20, "malformed " + expected);
        final int counted = expected;
        Allocations.shouldBeNone(() ->
        {
            if (malformed(codec, samples, inputs) != counted)
            {
                throw new AssertionError("another count, -Dmillrace.seed=" + seed);
            }
        });
        System.out.println(codec.getClass().getSimpleName() + ": " + inputs + " inputs, " + expected +
            " malformed, 0 exceptions, 0 bytes, -Dmillrace.seed=" + seed);
    }

    private void shouldRefuseExactly(final int inputs) throws Exception
    {
        shouldRefuseExactly(inputs, new BboPacketCodec(PacketForm.ANY), NaiveDecoders::isPacket,
            Samples.plainPacket(), Samples.extendedPacket());
        shouldRefuseExactly(inputs, new SerialLineCodec(), NaiveDecoders::isLine,
            Samples.line(SerialLineCodecTest.LINE), Samples.line(SerialLineCodecTest.NO_DATA));
    }

    @Test
    void u1ShouldRefuseExactlyWhatIsMalformed() throws Exception
    {
        shouldRefuseExactly(100_000);
    }

    @Test
    @Tag("faults")
    void u1ShouldRefuseExactlyWhatIsMalformedOfAMillion() throws Exception
    {
        shouldRefuseExactly(1_000_000);
    }
}
