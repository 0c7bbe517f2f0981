package io.millrace.gateway.itch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Splits a block of bytes into ITCH messages. Each message has its length in front of it, two bytes, big-endian. One
 * thread; allocates nothing.
 */
public final class ItchFrames
{
    /** Bytes of the length in front of a message. */
    public static final int LENGTH_BYTES = Short.BYTES;

    private static final VarHandle HEAD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int[] FRAME_LENGTHS = frameLengths();
    private static final int LONGEST_FRAME = LENGTH_BYTES + ItchDescriptor.MAX_LENGTH;

    private final ItchMessage message = new ItchMessage();
    private final ItchCounters counters;
    /** Messages of a block, by type. */
    private final int[] counts = new int[ItchCounters.TYPES];
    private int position;
    /** Messages that may still be delivered. */
    private int left;
    private boolean stopped;

    /** Length of each type, and one that no frame has for bytes that are no type. */
    private static int[] frameLengths()
    {
        final int[] lengths = new int[256];
        for (int i = 0; i < lengths.length; i++)
        {
            final int length = ItchDescriptor.length((byte)i);
            lengths[i] = length == 0 ? -1 : length;
        }
        return lengths;
    }

    /**
     * A splitter.
     *
     * @param counters of the messages that it finds.
     */
    public ItchFrames(final ItchCounters counters)
    {
        this.counters = counters;
    }

    /**
     * Deliver the messages of a block. Ends before an incomplete message, before a length of 0, after a message for
     * which the handler returned false, and after the greatest number of messages. {@link #position()} is then the end
     * of what was read. Unknown types and wrong lengths are counted and skipped.
     *
     * @param bytes   has the block.
     * @param offset  of the first length.
     * @param limit   end of the block, at most the length of the array.
     * @param handler takes the messages.
     * @param most    greatest number of messages.
     * @return number of delivered messages.
     */
    public int decode(
        final byte[] bytes, final int offset, final int limit, final ItchHandler handler, final int most)
    {
        message.wrap(bytes, offset);
        position = offset;
        left = most;
        stopped = false;
        do
        {
            // Ends at the last few messages, for which it does not look at the limit, and at one that is not in order.
            decodeFast(bytes, limit - LONGEST_FRAME, handler);
        }
        while (left > 0 && !stopped && decodeOne(bytes, limit, handler) && !stopped);
        return most - left;
    }

    /**
     * One jump by the type chooses both the callback and the way to the next message: so the processor goes on there
     * before it has read the length.
     */
    private void decodeFast(final byte[] bytes, final int last, final ItchHandler handler)
    {
        int at = position;
        int most = left;
        boolean goesOn = true;
        try
        {
            while (goesOn && at <= last && most > 0)
            {
                // Length, type and the byte behind: one load, one check.
                final int head = (int)HEAD.get(bytes, at);
                final int index = head >>> 8 & 0xFF;
                final int length = head >>> 16;
                if (length != FRAME_LENGTHS[index])
                {
                    break;
                }
                counts[index]++;
                most--;
                message.moveTo(at + LENGTH_BYTES);
                switch (index)
                {
                    case ItchDescriptor.ADD:
                        at += LENGTH_BYTES + ItchDescriptor.ADD_LENGTH;
                        goesOn = handler.onAdd(message);
                        break;
                    case ItchDescriptor.DELETE:
                        at += LENGTH_BYTES + ItchDescriptor.DELETE_LENGTH;
                        goesOn = handler.onDelete(message);
                        break;
                    case ItchDescriptor.EXECUTE:
                        at += LENGTH_BYTES + ItchDescriptor.EXECUTE_LENGTH;
                        goesOn = handler.onExecute(message);
                        break;
                    case ItchDescriptor.CANCEL:
                        at += LENGTH_BYTES + ItchDescriptor.CANCEL_LENGTH;
                        goesOn = handler.onCancel(message);
                        break;
                    case ItchDescriptor.REPLACE:
                        at += LENGTH_BYTES + ItchDescriptor.REPLACE_LENGTH;
                        goesOn = handler.onReplace(message);
                        break;
                    case ItchDescriptor.TRADE:
                        at += LENGTH_BYTES + ItchDescriptor.TRADE_LENGTH;
                        goesOn = handler.onTrade(message);
                        break;
                    default:
                        at += LENGTH_BYTES + length;
                        goesOn = dispatch((byte)index, handler);
                        break;
                }
            }
        }
        finally
        {
            position = at;
            left = most;
            stopped = !goesOn;
            counters.add(counts);
        }
    }

    /** The callback of a type. */
    private boolean dispatch(final byte type, final ItchHandler handler)
    {
        switch (type)
        {
            case ItchDescriptor.ADD:
            case ItchDescriptor.ADD_ATTRIBUTED:
                return handler.onAdd(message);
            case ItchDescriptor.DELETE:
                return handler.onDelete(message);
            case ItchDescriptor.EXECUTE:
            case ItchDescriptor.EXECUTE_WITH_PRICE:
                return handler.onExecute(message);
            case ItchDescriptor.CANCEL:
                return handler.onCancel(message);
            case ItchDescriptor.REPLACE:
                return handler.onReplace(message);
            case ItchDescriptor.TRADE:
                return handler.onTrade(message);
            default:
                return handler.onMessage(message);
        }
    }

    /** False if no complete message is there. */
    private boolean decodeOne(final byte[] bytes, final int limit, final ItchHandler handler)
    {
        final int body = position + LENGTH_BYTES;
        if (limit < body)
        {
            return false;
        }
        final int length = (bytes[position] & 0xFF) << 8 | bytes[position + 1] & 0xFF;
        if (length == 0 || limit - body < length)
        {
            return false;
        }
        position = body + length;
        if (counters.accept(bytes, body, length))
        {
            left--;
            message.moveTo(body);
            stopped = !dispatch(bytes[body], handler);
        }
        return true;
    }

    /**
     * End of what the last call has read.
     *
     * @return offset in its array.
     */
    public int position()
    {
        return position;
    }

    /** Deliver one message that is complete in the array, and whose length is that of its type. */
    boolean deliver(final byte[] bytes, final int offset, final ItchHandler handler)
    {
        counters.count(bytes[offset]);
        message.wrap(bytes, offset);
        return dispatch(bytes[offset], handler);
    }
}
