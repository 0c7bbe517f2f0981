package io.millrace.benchmarks.exchange;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A flow in a file, so that child processes need not make it again. Big-endian; read by the version that wrote it only.
 * <pre>
 *  long   "MRXFLOW" and the version in the last byte
 *  int    ordinal of the set-up
 *  int    orders placed first
 *  int    timed commands
 *  int    seed
 *  byte[] command types        one entry a command in each column
 *  byte[] order types
 *  byte[] sides
 *  short[] index of the symbol
 *  int[]  order ids
 *  int[]  users
 *  int[]  prices or budgets
 *  int[]  sizes
 *  int[]  reserved prices
 * </pre>
 * Stateless; any thread.
 */
final class ExchangeFlowFile
{
    private static final long MAGIC = 0x4D5258464C4F5701L;
    // A disk's and a page cache's liking; a multiple of the size of every entry.
    private static final int BUFFER_BYTES = 1 << 16;

    private ExchangeFlowFile()
    {
    }

    static void write(final ExchangeFlow flow, final FlowColumns columns, final Path file) throws IOException
    {
        try (DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)))
        {
            out.writeLong(MAGIC);
            out.writeInt(flow.setup().ordinal());
            out.writeInt(flow.fill());
            out.writeInt(flow.count() - flow.fill());
            out.writeInt(flow.seed());
            out.write(columns.types);
            out.write(columns.orderTypes);
            out.write(columns.sides);
            final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            writeShorts(out, buffer, columns.symbols);
            writeInts(out, buffer, columns.orderIds);
            writeInts(out, buffer, columns.uids);
            writeInts(out, buffer, columns.prices);
            writeInts(out, buffer, columns.sizes);
            writeInts(out, buffer, columns.reserves);
        }
    }

    private static void writeShorts(final DataOutputStream out, final ByteBuffer buffer, final short[] values)
        throws IOException
    {
        final int perBuffer = BUFFER_BYTES / Short.BYTES;
        for (int from = 0; from < values.length; from += perBuffer)
        {
            final int count = Math.min(perBuffer, values.length - from);
            buffer.asShortBuffer().put(values, from, count);
            out.write(buffer.array(), 0, count * Short.BYTES);
        }
    }

    private static void writeInts(final DataOutputStream out, final ByteBuffer buffer, final int[] values)
        throws IOException
    {
        final int perBuffer = BUFFER_BYTES / Integer.BYTES;
        for (int from = 0; from < values.length; from += perBuffer)
        {
            final int count = Math.min(perBuffer, values.length - from);
            buffer.asIntBuffer().put(values, from, count);
            out.write(buffer.array(), 0, count * Integer.BYTES);
        }
    }

    static ExchangeFlow read(final Path file) throws IOException
    {
        try (DataInputStream in =
            new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)))
        {
            if (in.readLong() != MAGIC)
            {
                throw new IOException(file + " is not a flow of this version");
            }
            final ExchangeSetup setup = ExchangeSetup.values()[in.readInt()];
            final int resting = in.readInt();
            final int timed = in.readInt();
            final int seed = in.readInt();
            final FlowColumns columns = new FlowColumns(resting + timed);
            in.readFully(columns.types);
            in.readFully(columns.orderTypes);
            in.readFully(columns.sides);
            final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            readShorts(in, buffer, columns.symbols);
            readInts(in, buffer, columns.orderIds);
            readInts(in, buffer, columns.uids);
            readInts(in, buffer, columns.prices);
            readInts(in, buffer, columns.sizes);
            readInts(in, buffer, columns.reserves);
            return new ExchangeFlow(
                setup, resting, timed, seed, new ExchangeSymbols(setup, resting, timed, seed), columns);
        }
    }

    private static void readShorts(final DataInputStream in, final ByteBuffer buffer, final short[] values)
        throws IOException
    {
        final int perBuffer = BUFFER_BYTES / Short.BYTES;
        for (int from = 0; from < values.length; from += perBuffer)
        {
            final int count = Math.min(perBuffer, values.length - from);
            in.readFully(buffer.array(), 0, count * Short.BYTES);
            buffer.asShortBuffer().get(values, from, count);
        }
    }

    private static void readInts(final DataInputStream in, final ByteBuffer buffer, final int[] values)
        throws IOException
    {
        final int perBuffer = BUFFER_BYTES / Integer.BYTES;
        for (int from = 0; from < values.length; from += perBuffer)
        {
            final int count = Math.min(perBuffer, values.length - from);
            in.readFully(buffer.array(), 0, count * Integer.BYTES);
            buffer.asIntBuffer().get(values, from, count);
        }
    }
}
