package io.millrace.benchmarks.itch;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.itch.ItchEncoder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/**
 * Framed messages in memory, and what a pass over them must find.
 *
 * @param name     for the table.
 * @param bytes    frames, big-endian.
 * @param stocks   greatest number of a stock.
 * @param messages number of frames.
 * @param lengths  sum of the messages' lengths.
 * @param fields   sum of all fields that {@link FieldSum} adds.
 */
record ItchStream(String name, ByteBuffer bytes, int stocks, long messages, long lengths, long fields)
{
    private static final long SEED = 20_120_621;

    static ItchStream of(final String name, final ByteBuffer bytes)
    {
        int stocks = 0;
        long messages = 0;
        long lengths = 0;
        long fields = 0;
        int length;
        for (int at = 0; at < bytes.limit(); at += 2 + length)
        {
            length = ItchPath.Lengths.of(bytes.get(at + 2), at);
            if (bytes.getShort(at) != length)
            {
                throw new WrongAnswerException("length " + bytes.getShort(at) + " at byte " + at);
            }
            Objects.checkFromIndexSize(at, 2 + length, bytes.limit());
            stocks = Math.max(stocks, bytes.getShort(at + 3));
            messages++;
            lengths += length;
            fields += FieldSum.plain(bytes, at + 2);
        }
        return new ItchStream(name, bytes, stocks, messages, lengths, fields);
    }

    /**
     * A recorded file, plain or gzip by its name.
     *
     * @throws InputException if it is no such file, or has a type of message that this report does not have.
     */
    static ItchStream recorded(final String name, final Path file)
    {
        try (InputStream raw = Files.newInputStream(file);
            InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw)
        {
            final ItchStream stream = of(name, ByteBuffer.wrap(in.readAllBytes()));
            if (stream.messages == 0)
            {
                throw new InputException(file + ": no messages");
            }
            return stream;
        }
        catch (final IOException ex)
        {
            throw new InputException(file + ": cannot be read: " + ex.getMessage());
        }
        catch (final WrongAnswerException | IndexOutOfBoundsException ex)
        {
            throw new InputException(file + " is not a file of ITCH 5.0 with the types " + ItchPath.Lengths.TYPES +
                " alone: " + (ex instanceof WrongAnswerException ? ex.getMessage() : "its last message is cut off"));
        }
    }

    /**
     * Valid orders of many stocks, in the mix of the recorded hour. Half of the removals are of the stock's newest
     * orders, because most orders live for a short time. In the end all orders are deleted.
     */
    static ItchStream generated(final int stocks, final int messages)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(2 * messages * (2 + ItchDescriptor.MAX_LENGTH));
        final ItchEncoder encoder = new ItchEncoder();
        final SplittableRandom random = new SplittableRandom(SEED);
        final LiveOrders[] live = new LiveOrders[stocks + 1];
        final long[] mid = new long[stocks + 1];
        for (int i = 1; i <= stocks; i++)
        {
            live[i] = new LiveOrders();
            mid[i] = 1_000 + random.nextInt(50_000);
        }
        int at = 0;
        for (int i = 1; i <= messages; i++)
        {
            // A few stocks have most of the messages.
            final int stock = 1 + (int)(stocks * random.nextDouble() * random.nextDouble() * random.nextDouble());
            encoder.wrap(bytes, at + 2).header(stock, 0, 34_200_000_000_000L + i * 36_000L);
            final int length = message(encoder, random, live[stock], mid, stock, i);
            bytes.putShort(at, (short)length);
            at += 2 + length;
        }
        for (int stock = 1; stock <= stocks; stock++)
        {
            while (live[stock].count > 0)
            {
                encoder.wrap(bytes, at + 2).header(stock, 0, 57_600_000_000_000L);
                bytes.putShort(at, (short)encoder.delete(live[stock].references[live[stock].count - 1]));
                live[stock].count--;
                at += 2 + ItchDescriptor.DELETE_LENGTH;
            }
        }
        return of("generated, " + stocks + " stocks", ByteBuffer.wrap(Arrays.copyOf(bytes.array(), at)));
    }

    private static int message(
        final ItchEncoder encoder,
        final SplittableRandom random,
        final LiveOrders live,
        final long[] mid,
        final int stock,
        final int number)
    {
        final int kind = random.nextInt(1_000);
        final boolean isBid = random.nextBoolean();
        if (kind < 24)
        {
            return encoder.trade(0, (byte)'B', 100, symbol(stock), mid[stock] * 100, number);
        }
        if ((kind < 510 || live.count == 0) && live.count < LiveOrders.CAPACITY)
        {
            mid[stock] += random.nextInt(40) == 0 ? random.nextInt(3) - 1 : 0;
            final long away = 1 + random.nextInt(1 + random.nextInt(60));
            final long shares = 100L * (1 + random.nextInt(5));
            live.add(number, shares);
            return encoder.add(number, (byte)(isBid ? 'B' : 'S'), shares, symbol(stock),
                100 * (mid[stock] + (isBid ? -away : away)));
        }
        final int order = live.choose(random);
        final long reference = live.references[order];
        if (kind < 515 && live.shares[order] > 1)
        {
            live.shares[order]--;
            return encoder.cancel(reference, 1);
        }
        final long shares = live.remove(order);
        return kind < 560 ? encoder.execute(reference, shares, number) : encoder.delete(reference);
    }

    private static long symbol(final int stock)
    {
        return Symbols.of("S" + stock);
    }

    /** Resting orders of one stock. */
    private static final class LiveOrders
    {
        static final int CAPACITY = 1 << 9;
        final long[] references = new long[CAPACITY];
        final long[] shares = new long[CAPACITY];
        int count;

        void add(final long reference, final long newShares)
        {
            references[count] = reference;
            shares[count++] = newShares;
        }

        int choose(final SplittableRandom random)
        {
            return random.nextBoolean() ? count - 1 - random.nextInt(Math.min(count, 10)) : random.nextInt(count);
        }

        long remove(final int index)
        {
            final long removed = shares[index];
            count--;
            references[index] = references[count];
            shares[index] = shares[count];
            return removed;
        }
    }
}
