package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import org.agrona.concurrent.NanoClock;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Objects;

/**
 * Prints a line when the quote of a symbol changes; an event with the same prices and shares as the one before it
 * prints nothing, and counts as delivered. The lines of a batch are written together.
 * <p>
 * A terminal that is stopped blocks only this sink's agent; the server then reports the agent as stalled.
 */
public final class ConsoleSink extends ReopeningSink
{
    private static final byte[] NOTHING = {};
    private static final byte[] BID = AsciiWriter.ascii("  bid ");
    private static final byte[] ASK = AsciiWriter.ascii("  ask ");
    private static final byte[] AT = AsciiWriter.ascii(" x ");
    private static final byte[] SPREAD = AsciiWriter.ascii("  spread ");
    private static final byte[] PERCENT = AsciiWriter.ascii(" (");
    private static final byte[] END = AsciiWriter.ascii("%)\n");
    /** Symbol 8, texts 30, three prices of 16, two sizes of 10, percent 9: 115 bytes at most. */
    private static final int MAX_LINE_BYTES = 128;
    /** What the JDK writes from its own stack, without an allocation: 8 KiB. */
    private static final int BUFFER_BYTES = 8_192;
    private static final int SYMBOL_WIDTH = 8;

    private final OutputStream out;
    private final LatestQuotes printed;
    private final AsciiWriter lines = new AsciiWriter(BUFFER_BYTES);
    private int batchEvents;

    /**
     * A sink that prints nothing yet.
     *
     * @param out        for example {@code new FileOutputStream(FileDescriptor.out)}; stays open. A {@link PrintStream}
     *                   that has failed once counts as failed for ever, because it does not report which write failed.
     * @param maxSymbols greatest number of symbols that are compared, 1 to 1,048,576; events of others are all printed.
     * @param backoff    delays after a failed write.
     * @param clock      for these delays.
     */
    public ConsoleSink(
        final OutputStream out, final int maxSymbols, final ReconnectBackoff backoff, final NanoClock clock)
    {
        super(backoff, clock);
        this.out = Objects.requireNonNull(out, "out");
        printed = new LatestQuotes(maxSymbols);
    }

    @Override
    protected void open()
    {
        lines.clear();
    }

    @Override
    protected void abandon()
    {
        lines.clear();
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        if (!isOpen())
        {
            status().refused(1);
            return;
        }
        batchEvents++;
        if (isChange(event))
        {
            print(event);
        }
        if (endOfBatch || lines.length() > BUFFER_BYTES - MAX_LINE_BYTES)
        {
            flush();
        }
    }

    private boolean isChange(final BboEvent event)
    {
        final int known = printed.size();
        final int index = printed.indexOf(event);
        if (index == LatestQuotes.NONE)
        {
            return true;
        }
        final BboEvent last = printed.at(index);
        final boolean change = index == known ||
            last.bidPrice() != event.bidPrice() || last.bidShares() != event.bidShares() ||
            last.askPrice() != event.askPrice() || last.askShares() != event.askShares();
        last.copyOf(event);
        return change;
    }

    private void print(final BboEvent event)
    {
        final int start = lines.length();
        lines.plainSymbol(event.symbol(), NOTHING);
        while (lines.length() < start + SYMBOL_WIDTH)
        {
            lines.character(' ');
        }
        lines.text(BID).decimal(event.bidPrice(), 4).text(AT).number(event.bidShares());
        lines.text(ASK).decimal(event.askPrice(), 4).text(AT).number(event.askShares());
        lines.text(SPREAD).decimal(BboEncoder.spread(event), 4);
        lines.text(PERCENT).decimal(BboEncoder.percentOfMid(event), 3).text(END);
    }

    private void flush()
    {
        final int events = batchEvents;
        batchEvents = 0;
        try
        {
            if (lines.length() > 0)
            {
                out.write(lines.bytes(), 0, lines.length());
                out.flush();
                if (out instanceof PrintStream print && print.checkError())
                {
                    throw new IOException("the stream has failed");
                }
                lines.clear();
            }
            status().delivered(events);
        }
        catch (final IOException ex)
        {
            // Part of the lines may be printed.
            status().unknown(events);
            fail(ex);
        }
    }
}
