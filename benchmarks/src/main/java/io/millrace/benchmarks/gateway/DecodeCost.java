package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.bbo.SerialLineCodec;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * CPU time of decoding, on one thread: different packets one after the other, from memory. The rounds of all contenders
 * are interleaved.
 */
final class DecodeCost
{
    /** A power of two; 256 KiB of packets stay in the second cache. */
    private static final int PACKETS = 1_024;
    private static final int SLOT = BboPacketDescriptor.DEFAULT_PAYLOAD_LENGTH;
    private static final int PER_ROUND = 2_000_000;
    private static final int WARM_UP_ROUNDS = 4;

    private final ThreadProbe probe = ThreadProbe.ofCurrentThread();
    private final int rounds;
    private final BboEvent event = new BboEvent();
    private long clockSum;

    DecodeCost(final int rounds)
    {
        this.rounds = rounds;
    }

    private static ByteView packets(final EventCodec<BboEvent> codec, final int end)
    {
        final ByteView view = new ByteView(ByteBuffer.allocateDirect(PACKETS * SLOT));
        final GeneratedFeed feed = new GeneratedFeed(PACKETS / 2, PACKETS, 1);
        final BboEvent quote = new BboEvent();
        for (int i = 0; i < PACKETS; i++)
        {
            feed.next(quote);
            quote.position(1, i + 1);
            codec.encode(quote, view, i * SLOT + end - codec.maxLengthBytes());
        }
        return view;
    }

    private long decode(final EventCodec<BboEvent> codec, final ByteView view, final int length, final int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            if (codec.decode(view, (i & PACKETS - 1) * SLOT, length, event) == DecodeResult.OK)
            {
                sum += event.bidPrice() + event.askPrice() + event.bidShares() + event.askShares() + event.symbol();
            }
        }
        return sum;
    }

    private long decodeTimed(final EventCodec<BboEvent> codec, final ByteView view, final int length, final int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            final long beginNs = System.nanoTime();
            final DecodeResult result = codec.decode(view, (i & PACKETS - 1) * SLOT, length, event);
            clockSum += System.nanoTime() - beginNs;
            if (result == DecodeResult.OK)
            {
                sum += event.bidPrice() + event.askPrice() + event.bidShares() + event.askShares() + event.symbol();
            }
        }
        return sum;
    }

    /** The same fields without any check and without an event. */
    private static long load(final ByteView view, final int end, final int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            final int at = (i & PACKETS - 1) * SLOT + end - BboPacketDescriptor.PLAIN_LENGTH;
            sum += unsigned(view, at + BboPacketDescriptor.BID_PRICE_OFFSET) +
                unsigned(view, at + BboPacketDescriptor.ASK_PRICE_OFFSET) +
                unsigned(view, at + BboPacketDescriptor.BID_SHARES_OFFSET) +
                unsigned(view, at + BboPacketDescriptor.ASK_SHARES_OFFSET) +
                Long.reverseBytes(view.getLong(at + BboPacketDescriptor.SYMBOL_OFFSET));
        }
        return sum;
    }

    private static long unsigned(final ByteView view, final int offset)
    {
        return Integer.toUnsignedLong(Integer.reverseBytes(view.getInt(offset)));
    }

    List<String> run()
    {
        final BboPacketCodec plain = new BboPacketCodec(PacketForm.PLAIN);
        final BboPacketCodec any = new BboPacketCodec(PacketForm.ANY);
        final SerialLineCodec serial = new SerialLineCodec();
        final ByteView plainPackets = packets(plain, SLOT);
        final ByteView extendedPackets = packets(any, SLOT);
        final ByteView lines = packets(serial, SerialLineCodec.LINE_LENGTH + 1);
        final String[] names = {"the fields alone, no check, no event", "plain packet, 28 of 256 bytes",
            "the same between two clock readings", "extended packet, 60 of 256 bytes", "serial line, 88 bytes"};
        // Each decodes packets and returns a sum that all contenders of a format share.
        final IntToLongFunction[] contenders = {count -> load(plainPackets, SLOT, count),
            count -> decode(plain, plainPackets, SLOT, count),
            count -> decodeTimed(plain, plainPackets, SLOT, count),
            count -> decode(any, extendedPackets, SLOT, count),
            count -> decode(serial, lines, SerialLineCodec.LINE_LENGTH, count / 4)};
        final double[][] ns = new double[contenders.length][rounds];
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        {
            final long[] sums = new long[contenders.length];
            for (int i = 0; i < contenders.length; i++)
            {
                final long beginNs = probe.cpuNs();
                sums[i] = contenders[i].applyAsLong(PER_ROUND);
                final double count = i == contenders.length - 1 ? PER_ROUND / 4 : PER_ROUND;
                ns[i][Math.max(0, round)] = (probe.cpuNs() - beginNs) / count;
            }
            for (int i = 1; i < contenders.length - 1; i++)
            {
                if (sums[i] != sums[0])
                {
                    throw new WrongAnswerException(names[i] + ": the sum is " + sums[i] + ", not " + sums[0]);
                }
            }
        }
        final TextTable table = new TextTable(1, "decode, CPU time each", "median", "least", "greatest");
        for (int i = 0; i < contenders.length; i++)
        {
            Arrays.sort(ns[i]);
            table.add(names[i], Quantile.text(Quantile.median(ns[i])), Quantile.text(ns[i][0]),
                Quantile.text(ns[i][rounds - 1]));
        }
        return table.lines();
    }
}
